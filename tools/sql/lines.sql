-- Time of kernels and loops by line of their source.
select file, line, kind, count(*) as calls, sum(dur) as total_ns
from slice
where file is not null and kind in ('kernel', 'loop')
group by file, line, kind
order by total_ns desc, file, line
