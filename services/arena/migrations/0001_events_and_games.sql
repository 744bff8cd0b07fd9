-- The same text serves SQLite and PostgreSQL. What is not known yet is empty or zero, never null.

CREATE TABLE event (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    -- Who plays whom, how often and how, as JSON.
    plan TEXT NOT NULL,
    -- 'open', or 'closed' when no further game is wanted.
    state TEXT NOT NULL,
    -- Seconds since 1970.
    created DOUBLE PRECISION NOT NULL
);

CREATE TABLE game (
    event BIGINT NOT NULL REFERENCES event (id),
    number BIGINT NOT NULL,
    pair BIGINT NOT NULL,
    -- Indices of the plan's contestants and openings.
    first_player BIGINT NOT NULL,
    second_player BIGINT NOT NULL,
    opening BIGINT NOT NULL,
    seed BIGINT NOT NULL,
    -- 'waiting', 'leased' or 'finished'.
    state TEXT NOT NULL,
    -- Who plays it or has played it, and when its lease runs out.
    worker TEXT NOT NULL DEFAULT '',
    expires DOUBLE PRECISION NOT NULL DEFAULT 0,
    -- 'first', 'second' or, if nobody has won, empty.
    winner TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    first_version TEXT NOT NULL DEFAULT '',
    second_version TEXT NOT NULL DEFAULT '',
    -- Of the whole record.
    turns BIGINT NOT NULL DEFAULT 0,
    -- From the first question to the last answer, and what of it the players were thinking.
    seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
    first_seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
    second_seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
    finished DOUBLE PRECISION NOT NULL DEFAULT 0,
    -- Each turn with its time, reserve, score, depth and nodes, as JSON.
    plies TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (event, number)
);

CREATE INDEX game_by_state ON game (event, state, number);

-- For the worker that says it is alive.
CREATE INDEX game_by_worker ON game (worker) WHERE state = 'leased';
