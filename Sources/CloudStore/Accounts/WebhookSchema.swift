/// Tables of webhooks and of undeliverable messages, in the accounts file.
enum WebhookSchema {
    /// Ids are never reused, because the records file names a webhook's queue by its id.
    ///
    /// Operators' changes move the revision, so that running servers notice them.
    static let sql = """
        CREATE TABLE webhook (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
            environment TEXT NOT NULL,
            url TEXT NOT NULL,
            salt BLOB NOT NULL,
            isRemoved INTEGER NOT NULL DEFAULT 0,
            created REAL NOT NULL
        );
        CREATE INDEX webhookContainer ON webhook(container);
        CREATE TABLE deadLetter (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            webhook INTEGER NOT NULL REFERENCES webhook ON DELETE CASCADE,
            message TEXT NOT NULL,
            firstAttempt REAL NOT NULL,
            lastAttempt REAL NOT NULL,
            attempts INTEGER NOT NULL,
            fault TEXT NOT NULL,
            body BLOB NOT NULL,
            isRetried INTEGER NOT NULL DEFAULT 0,
            UNIQUE (webhook, message)
        );
        CREATE INDEX deadLetterRetried ON deadLetter(webhook, id) WHERE isRetried;
        CREATE TRIGGER webhookAdded AFTER INSERT ON webhook BEGIN UPDATE revision SET value = value + 1; END;
        CREATE TRIGGER webhookUpdated AFTER UPDATE ON webhook BEGIN UPDATE revision SET value = value + 1; END;
        CREATE TRIGGER deadLetterSentAgain AFTER UPDATE OF isRetried ON deadLetter WHEN new.isRetried
            BEGIN UPDATE revision SET value = value + 1; END;
        """

    /// Webhooks older than this column carry values; makers' permissions were not checked then.
    static let values = "ALTER TABLE webhook ADD COLUMN carriesValues INTEGER NOT NULL DEFAULT 1"
}
