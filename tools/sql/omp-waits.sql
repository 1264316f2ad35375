-- Waits of OpenMP teams by kernel and construct: what threads waited for each other.
select s.kernel, a.string_value as construct, count(*) as waits, sum(s.dur) as total_ns
from slice s
left join args a on s.arg_set_id = a.arg_set_id and a.key = 'construct'
where s.kind = 'team_wait'
group by s.kernel, a.string_value
order by total_ns desc
