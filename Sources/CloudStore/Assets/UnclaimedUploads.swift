import CloudModel
import CloudSQL

/// Bytes of uploaded assets that no record holds, per user and per client address.
///
/// An upload counts until a record holds its asset or its receipt expires, and again after the last record drops the
/// asset.
enum UnclaimedUploads {
    static let sql = Layout(
        sqlite: """
            -- unclaimed: the bytes that count for its user; 0 while a record holds the asset.
            ALTER TABLE asset_uploads ADD COLUMN unclaimed INTEGER NOT NULL DEFAULT 0;
            CREATE TABLE upload_usage (user TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TRIGGER upload_added AFTER INSERT ON asset_uploads WHEN new.unclaimed > 0 BEGIN
                INSERT OR IGNORE INTO upload_usage VALUES (new.user, 0);
                UPDATE upload_usage SET bytes = bytes + new.unclaimed WHERE user = new.user;
            END;
            CREATE TRIGGER upload_changed AFTER UPDATE OF unclaimed ON asset_uploads BEGIN
                INSERT OR IGNORE INTO upload_usage VALUES (new.user, 0);
                UPDATE upload_usage SET bytes = bytes + new.unclaimed - old.unclaimed WHERE user = new.user;
            END;
            CREATE TRIGGER upload_removed AFTER DELETE ON asset_uploads WHEN old.unclaimed > 0 BEGIN
                UPDATE upload_usage SET bytes = bytes - old.unclaimed WHERE user = old.user;
            END;
            CREATE TRIGGER asset_held AFTER INSERT ON record_assets BEGIN
                UPDATE asset_uploads SET unclaimed = 0 WHERE asset = new.asset AND unclaimed > 0;
            END;
            CREATE TRIGGER asset_let_go AFTER DELETE ON record_assets
                WHEN NOT EXISTS (SELECT 1 FROM record_assets WHERE asset = old.asset) BEGIN
                UPDATE asset_uploads SET unclaimed = (
                    SELECT CASE WHEN size < 4096 THEN 4096 ELSE size END FROM assets WHERE id = old.asset)
                WHERE asset = old.asset AND unclaimed = 0;
            END;
            """,
        postgres: """
            ALTER TABLE asset_uploads ADD COLUMN unclaimed BIGINT NOT NULL DEFAULT 0;
            CREATE TABLE upload_usage ("user" TEXT COLLATE "C" PRIMARY KEY, bytes BIGINT NOT NULL);
            CREATE FUNCTION upload_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF new.unclaimed > 0 THEN
                    INSERT INTO upload_usage VALUES (new.user, 0) ON CONFLICT DO NOTHING;
                    UPDATE upload_usage SET bytes = bytes + new.unclaimed WHERE "user" = new.user;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER upload_added AFTER INSERT ON asset_uploads FOR EACH ROW EXECUTE FUNCTION upload_added();
            CREATE FUNCTION upload_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO upload_usage VALUES (new.user, 0) ON CONFLICT DO NOTHING;
                UPDATE upload_usage SET bytes = bytes + new.unclaimed - old.unclaimed WHERE "user" = new.user;
                RETURN NULL;
            END $$;
            CREATE TRIGGER upload_changed AFTER UPDATE OF unclaimed ON asset_uploads
                FOR EACH ROW EXECUTE FUNCTION upload_changed();
            CREATE FUNCTION upload_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF old.unclaimed > 0 THEN
                    UPDATE upload_usage SET bytes = bytes - old.unclaimed WHERE "user" = old.user;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER upload_removed AFTER DELETE ON asset_uploads FOR EACH ROW EXECUTE FUNCTION upload_removed();
            CREATE FUNCTION asset_held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE asset_uploads SET unclaimed = 0 WHERE asset = new.asset AND unclaimed > 0;
                RETURN NULL;
            END $$;
            CREATE TRIGGER asset_held AFTER INSERT ON record_assets FOR EACH ROW EXECUTE FUNCTION asset_held();
            CREATE FUNCTION asset_let_go() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NOT EXISTS (SELECT 1 FROM record_assets WHERE asset = old.asset) THEN
                    UPDATE asset_uploads SET unclaimed = (
                        SELECT CASE WHEN size < 4096 THEN 4096 ELSE size END FROM assets WHERE id = old.asset)
                    WHERE asset = old.asset AND unclaimed = 0;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER asset_let_go AFTER DELETE ON record_assets FOR EACH ROW EXECUTE FUNCTION asset_let_go();
            """)

    static let addresses = Layout(
        sqlite: """
            -- address: that the bytes came from, to count them for it; NULL for what came over no network.
            ALTER TABLE asset_uploads ADD COLUMN address TEXT;
            CREATE TABLE upload_addresses (address TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TRIGGER upload_address_added AFTER INSERT ON asset_uploads
                WHEN new.unclaimed > 0 AND new.address IS NOT NULL BEGIN
                INSERT OR IGNORE INTO upload_addresses VALUES (new.address, 0);
                UPDATE upload_addresses SET bytes = bytes + new.unclaimed WHERE address = new.address;
            END;
            CREATE TRIGGER upload_address_changed AFTER UPDATE OF unclaimed ON asset_uploads
                WHEN new.address IS NOT NULL BEGIN
                INSERT OR IGNORE INTO upload_addresses VALUES (new.address, 0);
                UPDATE upload_addresses SET bytes = bytes + new.unclaimed - old.unclaimed WHERE address = new.address;
                DELETE FROM upload_addresses WHERE address = new.address AND bytes <= 0;
            END;
            CREATE TRIGGER upload_address_removed AFTER DELETE ON asset_uploads
                WHEN old.unclaimed > 0 AND old.address IS NOT NULL BEGIN
                UPDATE upload_addresses SET bytes = bytes - old.unclaimed WHERE address = old.address;
                DELETE FROM upload_addresses WHERE address = old.address AND bytes <= 0;
            END;
            """,
        postgres: """
            ALTER TABLE asset_uploads ADD COLUMN address TEXT COLLATE "C";
            CREATE TABLE upload_addresses (address TEXT COLLATE "C" PRIMARY KEY, bytes BIGINT NOT NULL);
            CREATE FUNCTION upload_address_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF new.unclaimed > 0 AND new.address IS NOT NULL THEN
                    INSERT INTO upload_addresses VALUES (new.address, 0) ON CONFLICT DO NOTHING;
                    UPDATE upload_addresses SET bytes = bytes + new.unclaimed WHERE address = new.address;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER upload_address_added AFTER INSERT ON asset_uploads
                FOR EACH ROW EXECUTE FUNCTION upload_address_added();
            CREATE FUNCTION upload_address_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF new.address IS NOT NULL THEN
                    INSERT INTO upload_addresses VALUES (new.address, 0) ON CONFLICT DO NOTHING;
                    UPDATE upload_addresses SET bytes = bytes + new.unclaimed - old.unclaimed
                        WHERE address = new.address;
                    DELETE FROM upload_addresses WHERE address = new.address AND bytes <= 0;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER upload_address_changed AFTER UPDATE OF unclaimed ON asset_uploads
                FOR EACH ROW EXECUTE FUNCTION upload_address_changed();
            CREATE FUNCTION upload_address_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF old.unclaimed > 0 AND old.address IS NOT NULL THEN
                    UPDATE upload_addresses SET bytes = bytes - old.unclaimed WHERE address = old.address;
                    DELETE FROM upload_addresses WHERE address = old.address AND bytes <= 0;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER upload_address_removed AFTER DELETE ON asset_uploads
                FOR EACH ROW EXECUTE FUNCTION upload_address_removed();
            """)

    /// Seconds until a refused address may retry; expired receipts are collected by then.
    private static let pause = 3600

    static func bytes(of user: String, _ db: SQLConnection) throws -> Int64 {
        try db.first("SELECT bytes FROM upload_usage WHERE \"user\" = ?", .text(user)) { $0.integer(0) } ?? 0
    }

    static func bytes(from address: String, _ db: SQLConnection) throws -> Int64 {
        try db.first("SELECT bytes FROM upload_addresses WHERE address = ?", .text(address)) { $0.integer(0) } ?? 0
    }

    /// - Throws: `THROTTLED` for an address above the limit.
    static func check(from address: String?, limits: Limits, _ db: SQLConnection) throws {
        guard let address else { return }
        let bytes = try bytes(from: address, db)
        guard bytes <= limits.assets.unclaimedBytesPerAddress else { throw refusal(from: address, bytes, limits) }
    }

    /// - Throws: `THROTTLED` for an address at or above the limit.
    static func checkRoom(from address: String?, limits: Limits, _ db: SQLConnection) throws {
        guard let address else { return }
        let bytes = try bytes(from: address, db)
        guard bytes < limits.assets.unclaimedBytesPerAddress else { throw refusal(from: address, bytes, limits) }
    }

    private static func refusal(from address: String, _ bytes: Int64, _ limits: Limits) -> ServerError {
        let most = limits.assets.unclaimedBytesPerAddress
        return ServerError(
            .throttled,
            "uploads from this address that no record holds have \(bytes) bytes, at most \(most) are allowed "
                + "(limit.unclaimedUploadBytesPerAddress)",
            .limit(most, "limit.unclaimedUploadBytesPerAddress"), retryAfter: pause)
    }

    /// - Throws: `QUOTA_EXCEEDED` for a user above the limit.
    static func check(_ user: String, limits: Limits, _ db: SQLConnection) throws {
        let bytes = try bytes(of: user, db)
        guard bytes <= limits.assets.unclaimedBytes else { throw refusal(bytes, limits) }
    }

    /// - Throws: `QUOTA_EXCEEDED` for a user at or above the limit.
    static func checkRoom(_ user: String, limits: Limits, _ db: SQLConnection) throws {
        let bytes = try bytes(of: user, db)
        guard bytes < limits.assets.unclaimedBytes else { throw refusal(bytes, limits) }
    }

    private static func refusal(_ bytes: Int64, _ limits: Limits) -> ServerError {
        ServerError(
            .quotaExceeded,
            "uploads of this user that no record holds have \(bytes) bytes, at most \(limits.assets.unclaimedBytes) are "
                + "allowed (limit.unclaimedUploadBytes); save the records they are for, or wait a day",
            .limit(limits.assets.unclaimedBytes, "limit.unclaimedUploadBytes"))
    }
}
