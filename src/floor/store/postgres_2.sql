-- what lines tell that is searched for: kind is finding, cleared, breach, withdrawn, pass (the end of one) or act; `at` in
-- milliseconds since 1970, amounts in hundredths. It goes by days with the lines
create table sabot.told (
    table_id integer not null,
    epoch bigint not null,
    line bigint not null,
    part bigint not null,
    at bigint not null,
    kind text not null,
    n bigint,
    pass bigint,
    article text,
    box text,
    severity text,
    person text,
    owed bigint,
    done bigint,
    text text,
    primary key (table_id, epoch, line, part)
) partition by range (epoch);
create index told_at on sabot.told (kind, at);
create index told_article on sabot.told (article, at) where article is not null;
create index told_person on sabot.told (person, at) where person is not null;
create index told_of on sabot.told (table_id, epoch, n) where n is not null;
create index told_passes on sabot.told (table_id, epoch, line) where kind = 'pass';

create or replace function sabot.partition_of(epoch bigint) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
    day bigint := epoch / 86400000;
    of text;
    name text;
begin
    perform pg_advisory_xact_lock(hashtext('sabot.lines'));
    foreach of in array array['lines', 'told'] loop
        name := of || '_' || to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYYMMDD');
        if to_regclass('sabot.' || quote_ident(name)) is null then
            execute format('create table sabot.%I partition of sabot.%I for values from (%s) to (%s)',
                name, of, day * 86400000, (day + 1) * 86400000);
        end if;
    end loop;
end $$;

select sabot.partition_of(day * 86400000) from (select distinct epoch / 86400000 as day from sabot.records) days;

do $$ begin
    if exists (select from pg_roles where rolname = 'sabot_sink') then
        grant select, insert on sabot.told to sabot_sink;
        grant select on sabot.told to sabot_reader;
    end if;
exception when insufficient_privilege then
    raise notice 'sabot.told was not granted to sabot_sink and sabot_reader: this login may not';
end $$;
