SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.agents (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    spec text NOT NULL
);
CREATE SEQUENCE public.agents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.agents_id_seq OWNED BY public.agents.id;
CREATE TABLE public.checkpoints (
    run_id bigint NOT NULL,
    step bigint NOT NULL,
    header text NOT NULL,
    path text,
    data bytea
);
CREATE TABLE public.jobs (
    kind character varying(20) NOT NULL,
    key character varying(200) NOT NULL,
    owner character varying(64),
    state character varying(20) NOT NULL,
    error text,
    created timestamp without time zone NOT NULL
);
CREATE TABLE public.metrics (
    run_id bigint NOT NULL,
    name character varying(100) NOT NULL,
    step bigint NOT NULL,
    value double precision NOT NULL
);
CREATE TABLE public.plyground_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.ratings (
    pool character varying(200) NOT NULL,
    game text NOT NULL,
    agent_id bigint NOT NULL,
    rating double precision NOT NULL,
    low double precision NOT NULL,
    high double precision NOT NULL,
    games integer NOT NULL
);
CREATE TABLE public.records (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    game_id text NOT NULL,
    game text NOT NULL,
    start text,
    moves text NOT NULL,
    plies integer NOT NULL,
    winner text,
    reason text,
    seed bigint,
    started text,
    headers text,
    analyses bytea,
    created timestamp without time zone NOT NULL,
    owner character varying(64)
);
CREATE SEQUENCE public.records_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.records_id_seq OWNED BY public.records.id;
CREATE TABLE public.reviews (
    id character varying(40) NOT NULL,
    record_id bigint NOT NULL,
    owner character varying(64) NOT NULL,
    seconds double precision NOT NULL,
    plies bytea NOT NULL,
    created timestamp without time zone NOT NULL
);
CREATE TABLE public.runs (
    id bigint NOT NULL,
    method text NOT NULL,
    game text NOT NULL,
    settings text NOT NULL,
    seed bigint NOT NULL,
    created timestamp without time zone NOT NULL,
    finished timestamp without time zone
);
CREATE SEQUENCE public.runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.runs_id_seq OWNED BY public.runs.id;
CREATE TABLE public.scheduled_games (
    id bigint NOT NULL,
    tournament_id bigint NOT NULL,
    key character varying(200) NOT NULL,
    payload text NOT NULL,
    record_id bigint
);
CREATE SEQUENCE public.scheduled_games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.scheduled_games_id_seq OWNED BY public.scheduled_games.id;
CREATE TABLE public.seats (
    record_id bigint NOT NULL,
    side text NOT NULL,
    number integer NOT NULL,
    agent_id bigint NOT NULL
);
CREATE TABLE public.shares (
    digest character varying(64) NOT NULL,
    visitor_game_id character varying(40),
    record_id bigint,
    created timestamp without time zone NOT NULL
);
CREATE TABLE public.tags (
    record_id bigint NOT NULL,
    tag character varying(100) NOT NULL
);
CREATE TABLE public.tournaments (
    id bigint NOT NULL,
    name character varying(200) NOT NULL,
    game text NOT NULL,
    settings text NOT NULL,
    created timestamp without time zone NOT NULL
);
CREATE SEQUENCE public.tournaments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tournaments_id_seq OWNED BY public.tournaments.id;
CREATE TABLE public.visitor_games (
    id character varying(40) NOT NULL,
    owner character varying(64) NOT NULL,
    game text NOT NULL,
    is_watched boolean NOT NULL,
    is_over boolean NOT NULL,
    state text NOT NULL,
    record_id bigint,
    created timestamp without time zone NOT NULL,
    updated timestamp without time zone NOT NULL
);
ALTER TABLE ONLY public.agents ALTER COLUMN id SET DEFAULT nextval('public.agents_id_seq'::regclass);
ALTER TABLE ONLY public.records ALTER COLUMN id SET DEFAULT nextval('public.records_id_seq'::regclass);
ALTER TABLE ONLY public.runs ALTER COLUMN id SET DEFAULT nextval('public.runs_id_seq'::regclass);
ALTER TABLE ONLY public.scheduled_games ALTER COLUMN id SET DEFAULT nextval('public.scheduled_games_id_seq'::regclass);
ALTER TABLE ONLY public.tournaments ALTER COLUMN id SET DEFAULT nextval('public.tournaments_id_seq'::regclass);
INSERT INTO public.agents VALUES (1, '79a5478768d2447431a90f7f4549df735f50ad541371464c248abc7522dc3a01', 'human');
INSERT INTO public.agents VALUES (2, 'a441b15fe9a3cf56661190a0b93b9dec7d04127288cc87250967cf3b52894d11', 'random');
INSERT INTO public.checkpoints VALUES (1, 1, '{"kind":"linear"}', NULL, '\x0001');
INSERT INTO public.jobs VALUES ('training', '1', 'f00', 'running', NULL, '2026-11-18 14:18:13.164835');
INSERT INTO public.metrics VALUES (1, 'loss', 1, 0.5);
INSERT INTO public.plyground_version VALUES ('0004');
INSERT INTO public.ratings VALUES ('spring', 'checkers', 2, 1000, 900, 1100, 1);
INSERT INTO public.records VALUES (1, 'a0f175e75fab0ed5e53e29d4c48f9eaaba9b5823cd33bc443144657f947e017a', 'checkers', 'checkers', NULL, '11-15
23-18', 2, 'white', 'resignation', -1, '2026-01-31T12:00:00+00:00', '{"Event":"Caf\u00e9"}', NULL, '2026-11-18 14:18:12.889522', 'f00');
INSERT INTO public.records VALUES (2, 'f3894f3ca033b83ed195d5c9ac67a3a2bfa191e70e9e29480dff8770de207cdc', 'checkers', 'checkers', NULL, '11-15', 1, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-18 14:18:12.956592', NULL);
INSERT INTO public.reviews VALUES ('r1', 1, 'f00', 0.2, '\x789c8bae562ac8a954b232d051cacd2f4b55b2523234d4353455d2512a4bcc294d8dcfc92f2e06caea1999d6c60200220f0cfa', '2026-11-18 14:18:13.226268');
INSERT INTO public.runs VALUES (1, 'td', 'checkers', '{"lambda":0.7}', 1, '2026-11-18 14:18:13.020976', NULL);
INSERT INTO public.scheduled_games VALUES (2, 1, '2', '{"seed":2}', NULL);
INSERT INTO public.scheduled_games VALUES (1, 1, '1', '{"seed":1}', 2);
INSERT INTO public.seats VALUES (1, 'black', 0, 1);
INSERT INTO public.seats VALUES (1, 'white', 1, 2);
INSERT INTO public.seats VALUES (2, 'black', 0, 2);
INSERT INTO public.shares VALUES ('5a1e', 'abc', NULL, '2026-11-18 14:18:13.147965');
INSERT INTO public.tags VALUES (1, 'first');
INSERT INTO public.tournaments VALUES (1, 'spring', 'checkers', '{"games":2}', '2026-11-18 14:18:12.936464');
INSERT INTO public.visitor_games VALUES ('abc', 'f00', 'checkers', false, false, '{"moves":["11-15"]}', NULL, '2026-11-18 14:18:13.078093', '2026-11-18 14:18:13.078093');
SELECT pg_catalog.setval('public.agents_id_seq', 4, true);
SELECT pg_catalog.setval('public.records_id_seq', 2, true);
SELECT pg_catalog.setval('public.runs_id_seq', 1, true);
SELECT pg_catalog.setval('public.scheduled_games_id_seq', 2, true);
SELECT pg_catalog.setval('public.tournaments_id_seq', 1, true);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT pk_agents PRIMARY KEY (id);
ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT pk_checkpoints PRIMARY KEY (run_id, step);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (kind, key);
ALTER TABLE ONLY public.metrics
    ADD CONSTRAINT pk_metrics PRIMARY KEY (run_id, name, step);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (pool, game, agent_id);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT pk_records PRIMARY KEY (id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT pk_reviews PRIMARY KEY (id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT pk_runs PRIMARY KEY (id);
ALTER TABLE ONLY public.scheduled_games
    ADD CONSTRAINT pk_scheduled_games PRIMARY KEY (id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT pk_seats PRIMARY KEY (record_id, side);
ALTER TABLE ONLY public.shares
    ADD CONSTRAINT pk_shares PRIMARY KEY (digest);
ALTER TABLE ONLY public.tags
    ADD CONSTRAINT pk_tags PRIMARY KEY (record_id, tag);
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT pk_tournaments PRIMARY KEY (id);
ALTER TABLE ONLY public.visitor_games
    ADD CONSTRAINT pk_visitor_games PRIMARY KEY (id);
ALTER TABLE ONLY public.plyground_version
    ADD CONSTRAINT plyground_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT uq_agents_digest UNIQUE (digest);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT uq_records_digest UNIQUE (digest);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT uq_reviews_record_id_owner UNIQUE (record_id, owner);
ALTER TABLE ONLY public.scheduled_games
    ADD CONSTRAINT uq_scheduled_games_tournament_id_key UNIQUE (tournament_id, key);
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT uq_tournaments_name UNIQUE (name);
CREATE INDEX ix_records_created ON public.records USING btree (created);
CREATE INDEX ix_records_game_id_id ON public.records USING btree (game_id, id);
CREATE INDEX ix_records_owner_id ON public.records USING btree (owner, id);
CREATE INDEX ix_scheduled_games_record_id ON public.scheduled_games USING btree (record_id);
CREATE INDEX ix_seats_agent_id ON public.seats USING btree (agent_id);
CREATE INDEX ix_shares_record_id ON public.shares USING btree (record_id);
CREATE INDEX ix_shares_visitor_game_id ON public.shares USING btree (visitor_game_id);
CREATE INDEX ix_tags_tag ON public.tags USING btree (tag);
CREATE INDEX ix_visitor_games_owner_updated ON public.visitor_games USING btree (owner, updated);
CREATE INDEX ix_visitor_games_record_id ON public.visitor_games USING btree (record_id);
ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT fk_checkpoints_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.metrics
    ADD CONSTRAINT fk_metrics_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT fk_ratings_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents(id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT fk_reviews_record_id FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.scheduled_games
    ADD CONSTRAINT fk_scheduled_games_record_id FOREIGN KEY (record_id) REFERENCES public.records(id);
ALTER TABLE ONLY public.scheduled_games
    ADD CONSTRAINT fk_scheduled_games_tournament_id FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_record_id FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shares
    ADD CONSTRAINT fk_shares_record_id FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shares
    ADD CONSTRAINT fk_shares_visitor_game_id FOREIGN KEY (visitor_game_id) REFERENCES public.visitor_games(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tags
    ADD CONSTRAINT fk_tags_record_id FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.visitor_games
    ADD CONSTRAINT fk_visitor_games_record_id FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE SET NULL;
