use std::path::PathBuf;
use std::time::Duration;

use crate::StoreError;

/// Where the two databases differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// The database's own clock, in seconds since 1970: workers' clocks may differ.
    pub const fn now(self) -> &'static str {
        match self {
            Dialect::Sqlite => "unixepoch('subsec')",
            Dialect::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)",
        }
    }

    /// What follows a choice of rows that others may choose from at the same time.
    pub const fn skip_locked(self) -> &'static str {
        match self {
            // There is one writer at a time.
            Dialect::Sqlite => "",
            Dialect::Postgres => "FOR UPDATE SKIP LOCKED",
        }
    }

    /// What the connection of a reader begins with who may not write.
    pub const READ_ONLY: &str = "PRAGMA busy_timeout = 10000";

    /// What fails where nothing can be written, and changes nothing.
    pub const fn try_to_write(self) -> &'static str {
        match self {
            // To begin is allowed where a file can only be read.
            Dialect::Sqlite => {
                "BEGIN IMMEDIATE; CREATE TABLE tusk_can_write (id INTEGER); ROLLBACK"
            }
            Dialect::Postgres => "SELECT 1",
        }
    }

    /// How long a connection is waited for. There is one to a file, and others may be using it; a server that does
    /// not answer soon is asked again by whoever has patience.
    pub const fn acquire_timeout(self) -> Duration {
        match self {
            Dialect::Sqlite => Duration::from_secs(30),
            Dialect::Postgres => Duration::from_secs(3),
        }
    }

    /// What a connection begins with.
    pub const fn on_connect(self) -> &'static str {
        match self {
            // A log in front of the file lets others read meanwhile; a finished game is on the disk
            // before it counts, and survives a loss of power.
            Dialect::Sqlite => {
                "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
                 PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"
            }
            Dialect::Postgres => "SET lock_timeout = '30s'",
        }
    }
}

/// What the address of a store stands for.
pub struct Address {
    pub url: String,
    pub dialect: Dialect,
    /// The file of SQLite.
    pub file: Option<PathBuf>,
}

impl Address {
    pub fn read(address: &str) -> Result<Address, StoreError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            let url = address.to_string();
            return Ok(Address { url, dialect: Dialect::Postgres, file: None });
        }
        if address.is_empty() || (address.contains("://") && !address.starts_with("sqlite://")) {
            return Err(StoreError::Address(address.to_string()));
        }
        let path = address.strip_prefix("sqlite://").unwrap_or(address);
        let url = file_url(path, "mode=rwc");
        Ok(Address { url, dialect: Dialect::Sqlite, file: Some(PathBuf::from(path)) })
    }
}

/// The address of a file for SQLite, to be opened so.
pub fn file_url(path: &str, how: &str) -> String {
    // What would end the path in a URL.
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("sqlite://{escaped}?{how}")
}

/// The address as it may be shown.
pub fn without_password(address: &str) -> String {
    let hidden = || {
        let (scheme, rest) = address.split_once("://")?;
        let (login, host) = rest.rsplit_once('@')?;
        let (user, _) = login.split_once(':')?;
        Some(format!("{scheme}://{user}:…@{host}"))
    };
    hidden().unwrap_or_else(|| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_a_file_or_a_url() {
        let file = Address::read("games 100%?.sqlite").unwrap();
        assert_eq!(file.url, "sqlite://games 100%25%3f.sqlite?mode=rwc");
        assert_eq!(file.file, Some(PathBuf::from("games 100%?.sqlite")));
        assert_eq!(Address::read("postgres://team@host/games").unwrap().dialect, Dialect::Postgres);
        assert!(Address::read("mysql://host/games").is_err());
        assert!(Address::read("").is_err());
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = without_password("postgres://me:se:c@ret@host/games");
        assert_eq!(shown, "postgres://me:…@host/games");
        assert_eq!(without_password("games.sqlite"), "games.sqlite");
    }
}
