"""mcp-client.py SEAMSCOPE FOLDER [OPTION...]: asks `seamscope mcp` by the protocol's own client, and checks each answer
against the command that it names."""
import asyncio
import json
import shlex
import subprocess
import sys

from mcp import Client, StdioServerParameters

tool, folder, *options = sys.argv[1:]


def again(answer):
    command = shlex.split(answer["command"])
    if command[1] == "sql":
        command.insert(2, f"--python={sys.executable}")
    ran = subprocess.run([tool, *command[1:]], cwd=folder, stdout=subprocess.PIPE, check=True, timeout=120)
    return json.loads(ran.stdout)


def rows(answer):
    return [dict(zip([column["name"] for column in answer["columns"]], row)) for row in answer["rows"]]


def same(answer, wanted):
    """Whether the table has the values of these rows."""
    found = rows(answer)
    return len(found) == min(len(wanted), 20) and all(
        each == {name: row.get(name) for name in each} and
        all(row.get(name) in (None, [], {}) for name in answer["unknown"]) for each, row in zip(found, wanted))


async def main():
    server = StdioServerParameters(command=tool, args=["mcp", "--python", sys.executable, *options, folder])
    async with Client(server) as client:
        async def ask(tool_name, **arguments):
            result = await client.call_tool(tool_name, arguments)
            if result.is_error:
                return result.content[0].text.partition(f"Error executing tool {tool_name}: ")[2]
            return result.structured_content

        tools = (await client.list_tools()).tools
        print("tools:", *(each.name for each in tools))
        print("only read:", *(each.name for each in tools if each.annotations.read_only_hint))
        names = [each["trace"] for each in (await ask("traces"))["traces"]]
        tables = 0
        for name in names:
            report = await ask("report", trace=name)
            document = again(report)
            assert report["window_ns"] == document["window_ns"] and report["health"] == document["health"], name
            assert rows(report["kernels"]) == rows((await ask("table", trace=name, name="kernels", limit=10)))
            for table in report["tables"]:
                answer = await ask("table", trace=name, name=table)
                wanted = document[table]["rows"] if isinstance(document[table], dict) else document[table]
                assert same(answer, wanted) and answer["rows_in_all"] == len(wanted), (name, table, answer)
                tables += 1
            kernels = await ask("kernels", trace=name)
            if report["trace"]["mode"] == "profile":
                assert "holds sums of mode profile" in kernels, kernels
            else:
                assert same(kernels, again(kernels)["kernels"]), name
        print(f"{len(names)} traces, {tables} tables: as the commands that they name")
        columns = {each["name"]: each for each in (await ask("table", trace="gpu.json", name="kernels"))["columns"]}
        print("total_ns:", columns["total_ns"]["unit"], "-", columns["total_ns"]["meaning"])
        print("self_ns has its error in", columns["self_ns"]["error"])
        for question in ({"query": "select count(*) as n from slice"}, {"name": "top-kernels"}):
            answer = await ask("sql" if "query" in question else "recipe", trace="gpu.json", **question)
            assert answer["rows"] == again(answer)["rows"], answer
            print(answer["command"])
        changes = await ask("diff", base="host.json", test="host-after.json")
        assert same(changes["tables"]["rows"], again(changes)["rows"])
        for bad in (("report", {"trace": "../outside.json"}), ("report", {"trace": "link.json"}),
                    ("report", {"trace": "absent.json"}), ("table", {"trace": "gpu.json", "name": "absent"}),
                    ("recipe", {"trace": "gpu.json", "name": "absent"}),
                    ("source", {"trace": "gpu.json", "kernel": "--help"}),
                    ("sql", {"trace": "gpu.json", "query": "select * from read_csv('/etc/passwd')"}),
                    ("replay", {"run": "gpu.json", "kernel": "k"})):
            print(*bad, "->", await ask(bad[0], **bad[1]))


asyncio.run(main())
