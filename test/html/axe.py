"""What axe finds in a page that is open.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import browser

SOURCE = browser.axe_script()


def problems(window):
    """Serious and critical findings: [{id, impact, help, nodes}]."""
    # The debugger adds axe's source, because the page's policy allows no other script.
    if not window.run("return typeof axe !== 'undefined'"):
        window.command("Runtime.evaluate", expression=SOURCE)
    result = window.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']})"
        ".then((result) => done(result.violations.map((one) => "
        "({id: one.id, impact: one.impact, help: one.help, nodes: one.nodes.slice(0, 3)"
        ".map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`)}))), (error) => "
        "done([{id: String(error), impact: 'critical'}]))"
    )
    return [one for one in result if one["impact"] in ("serious", "critical")]
