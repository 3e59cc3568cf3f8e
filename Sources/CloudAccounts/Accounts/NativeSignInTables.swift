import CloudSQL

/// What sign-in by an app's own identity token needs: audiences of API tokens, and the tokens that Apple gives for a person.
///
/// A token of a removed identity is due for revocation, however the identity was removed.
enum NativeSignInTables {
    static let sql = Layout(
        sqlite: """
            ALTER TABLE apiToken ADD COLUMN audiences TEXT NOT NULL DEFAULT '';
            ALTER TABLE identity ADD COLUMN isMailOff INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX identityMailOff ON identity(email) WHERE isMailOff <> 0;
            CREATE TABLE identityToken (
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                client TEXT NOT NULL,
                provider TEXT NOT NULL,
                token BLOB NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                due REAL,
                PRIMARY KEY (issuer, subject, client)
            ) WITHOUT ROWID;
            CREATE INDEX identityTokenDue ON identityToken(due) WHERE due IS NOT NULL;
            CREATE TRIGGER identityTokenOwned AFTER INSERT ON identity BEGIN
                UPDATE identityToken SET due = NULL WHERE issuer = NEW.issuer AND subject = NEW.subject;
            END;
            CREATE TRIGGER identityTokenDisowned AFTER DELETE ON identity BEGIN
                UPDATE identityToken SET due = 0, attempts = 0 WHERE issuer = OLD.issuer AND subject = OLD.subject;
            END;
            """,
        postgres: """
            ALTER TABLE apiToken ADD COLUMN audiences TEXT COLLATE "C" NOT NULL DEFAULT '';
            ALTER TABLE identity ADD COLUMN isMailOff BIGINT NOT NULL DEFAULT 0;
            CREATE INDEX identityMailOff ON identity(email) WHERE isMailOff <> 0;
            CREATE TABLE identityToken (
                issuer TEXT COLLATE "C" NOT NULL,
                subject TEXT COLLATE "C" NOT NULL,
                client TEXT COLLATE "C" NOT NULL,
                provider TEXT COLLATE "C" NOT NULL,
                token BYTEA NOT NULL,
                attempts BIGINT NOT NULL DEFAULT 0,
                due DOUBLE PRECISION,
                PRIMARY KEY (issuer, subject, client)
            );
            CREATE INDEX identityTokenDue ON identityToken(due) WHERE due IS NOT NULL;
            CREATE FUNCTION identityTokenOwned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE identityToken SET due = NULL WHERE issuer = NEW.issuer AND subject = NEW.subject;
                RETURN NULL;
            END $$;
            CREATE TRIGGER identityTokenOwned AFTER INSERT ON identity
                FOR EACH ROW EXECUTE FUNCTION identityTokenOwned();
            CREATE FUNCTION identityTokenDisowned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE identityToken SET due = 0, attempts = 0 WHERE issuer = OLD.issuer AND subject = OLD.subject;
                RETURN NULL;
            END $$;
            CREATE TRIGGER identityTokenDisowned AFTER DELETE ON identity
                FOR EACH ROW EXECUTE FUNCTION identityTokenDisowned();
            """)
}
