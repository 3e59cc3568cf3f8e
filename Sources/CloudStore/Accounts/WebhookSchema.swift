/// The accounts file's tables of webhooks and of what could not be delivered to them.
enum WebhookSchema {
    /// Ids are never used twice: a webhook's queue in the records file goes by them.
    ///
    /// What an operator changes moves the revision, so that a running server takes it up.
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

    /// Those from before it was asked what their makers may read carry values.
    static let values = "ALTER TABLE webhook ADD COLUMN carriesValues INTEGER NOT NULL DEFAULT 1"
}
