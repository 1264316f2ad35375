-- From the begin of a launch to the begin of its work: by kernel, mean and longest.
select s.name, count(*) as calls, avg(s.ts - l.ts) as mean_ns, max(s.ts - l.ts) as max_ns
from slice s
join slice l on s.launch_id = l.id
where s.kind = 'kernel'
group by s.name
order by mean_ns desc, s.name
