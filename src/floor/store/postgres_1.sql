create table sabot.tables (
    id integer generated always as identity primary key,
    house text not null,
    pit text not null,
    name text not null,
    unique (house, pit, name)
);

-- a record: its epoch is when it was begun, milliseconds since 1970
create table sabot.records (
    table_id integer not null references sabot.tables (id),
    epoch bigint not null,
    lines bigint not null,
    chain text not null,
    signed bigint not null,
    tree text not null,
    primary key (table_id, epoch)
);

-- `text` as it stands in the record. By the day on which the record was begun: the key of a partition must be among the
-- columns that are unique, and the epoch is
create table sabot.lines (
    table_id integer not null,
    epoch bigint not null,
    line bigint not null,
    at timestamptz not null,
    ev text not null,
    text text not null,
    primary key (table_id, epoch, line)
) partition by range (epoch);
create index lines_at on sabot.lines (table_id, at);

create table sabot.checkpoints (
    table_id integer not null,
    epoch bigint not null,
    size bigint not null,
    note text not null,
    primary key (table_id, epoch, size)
);

create table sabot.refusals (
    table_id integer not null references sabot.tables (id),
    epoch bigint not null,
    line bigint not null,
    chain text not null,
    why text not null,
    text bytea not null,
    first_at timestamptz not null default now(),
    primary key (table_id, epoch, line, chain)
);

create table sabot.accepted (
    table_id integer not null references sabot.tables (id),
    epoch bigint not null,
    by_whom text not null default current_user,
    primary key (table_id, epoch)
);

-- the partition of the day on which a record was begun; sinks need no right to make tables
create function sabot.partition_of(epoch bigint) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
    day bigint := epoch / 86400000;
    name text := 'lines_' || to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYYMMDD');
begin
    perform pg_advisory_xact_lock(hashtext('sabot.lines'));
    if to_regclass('sabot.' || quote_ident(name)) is null then
        execute format('create table sabot.%I partition of sabot.lines for values from (%s) to (%s)',
            name, day * 86400000, (day + 1) * 86400000);
    end if;
end $$;
revoke all on function sabot.partition_of(bigint) from public;

create view sabot.findings as
select t.house, t.pit, t.name as table_name, l.epoch, l.line, l.at,
    (a ->> 'n')::bigint as n, a ->> 'provision' as article, a ->> 'box' as box, a ->> 'text' as text
from sabot.lines l join sabot.tables t on t.id = l.table_id
cross join lateral jsonb_array_elements(l.text::jsonb -> 'answers') a
where l.text like '%"answers":%' and a ->> 'out' = 'finding';

-- who may what: a sink adds and takes nothing away, a reader reads. Logins are given these roles by the house
do $$ begin
    if not exists (select from pg_roles where rolname = 'sabot_sink') then create role sabot_sink nologin; end if;
    if not exists (select from pg_roles where rolname = 'sabot_reader') then create role sabot_reader nologin; end if;
    grant usage on schema sabot to sabot_sink, sabot_reader;
    grant select on all tables in schema sabot to sabot_sink, sabot_reader;
    grant insert on all tables in schema sabot to sabot_sink;
    revoke insert on sabot.accepted, sabot.version from sabot_sink;
    grant update on sabot.records to sabot_sink;
    grant execute on function sabot.partition_of(bigint) to sabot_sink;
exception when insufficient_privilege then
    raise notice 'the roles sabot_sink and sabot_reader were not made: this login may not make roles';
end $$;
