-- Kernels' time by thread of the host or stream of a device.
select p.pid, p.name as process, t.tid, t.name as thread, count(*) as calls, sum(s.dur) as total_ns
from slice s
join track k on s.track_id = k.track_id
join thread t on k.utid = t.utid
join process p on t.upid = p.upid
where s.kind = 'kernel'
group by p.pid, p.name, t.tid, t.name
order by total_ns desc
