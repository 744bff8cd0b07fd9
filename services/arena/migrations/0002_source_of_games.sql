-- What the source of an imported game tells that has no column, as JSON; empty for games that were played here.
ALTER TABLE game ADD COLUMN source TEXT NOT NULL DEFAULT '';
