/// Tables of console operators, their recovery codes and their sign-ins, in the accounts file.
enum OperatorSchema {
    static let sql = """
        -- Who may sign in to the console. The secret is that of an authenticator app, set up at the first sign-in, and
        -- lastStep the number of the last code used. Of cookies and recovery codes only digests are kept. A login
        -- without a second factor waits for a code; its secret is offered to whoever has none yet.
        CREATE TABLE consoleOperator (
            account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            role TEXT NOT NULL,
            secret BLOB,
            lastStep INTEGER NOT NULL DEFAULT 0,
            created REAL NOT NULL
        );
        CREATE TABLE recoveryCode (
            hash BLOB PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES consoleOperator ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX recoveryCodeAccount ON recoveryCode(account);
        CREATE TABLE consoleLogin (
            hash BLOB PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES consoleOperator ON DELETE CASCADE,
            isComplete INTEGER NOT NULL,
            secret BLOB,
            lastUsed REAL NOT NULL,
            expires REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX consoleLoginAccount ON consoleLogin(account);
        CREATE INDEX consoleLoginExpires ON consoleLogin(expires);
        """

    /// Adds the digest of the code with which an operator sets up the first authenticator app.
    static let enrolment = """
        ALTER TABLE consoleOperator ADD COLUMN enrolment BLOB;
        ALTER TABLE consoleOperator ADD COLUMN enrolmentExpires REAL;
        """
}
