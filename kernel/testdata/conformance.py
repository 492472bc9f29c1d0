"""jupyter_kernel_test with a full configuration, for symmom or for ipykernel.

    python conformance.py symmom|python3

Prints one line of JSON: how many tests ran, failed and were skipped, and why.
Every skip counts: a feature that is not configured is a feature not tested.
"""

import json
import sys
import unittest

import jupyter_kernel_test as jkt
from jupyter_client.manager import KernelManager


class Symmom:
    kernel_name = "symmom"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'import "fmt"\nfmt.Println("hello, world")'
    code_stderr = 'import ("fmt"; "os")\nfmt.Fprintln(os.Stderr, "trouble")'
    completion_samples = [
        {"text": "symmom.Decomp", "matches": None},
        {"text": "datasets.GaussianMix", "matches": ["GaussianMixture", "GaussianMixtureContext"]},
        {"text": "mat.NewDen", "matches": ["NewDense"]},
        {"text": "retu", "matches": ["return"]},
    ]
    complete_code_samples = ["1 + 1", "x := 3", "for i := 0; i < 3; i++ {\n}", "func f() int { return 2 }"]
    incomplete_code_samples = ["for i := 0; i < 3; i++ {", "f(1,", "x := 3 +", "s := `raw"]
    invalid_code_samples = [")", "func f() int } {", "x := := 3"]
    code_page_something = "?symmom.Load"
    code_generate_error = "var p *int\n*p"
    code_execute_result = [
        {"code": "1 + 2", "result": "3"},
        {"code": '"a" + "b"', "result": "ab"},
        {"code": "mat.NewDense(1, 1, []float64{2})", "mime": "text/html"},
    ]
    code_display_data = [
        {"code": 'display.Show(display.HTML("<b>bold</b>"))', "mime": "text/html"},
        {"code": 'display.Show(display.Markdown("**bold**"))', "mime": "text/markdown"},
        {"code": 'display.Show(display.LaTeX("$x^2$"))', "mime": "text/latex"},
        {"code": "display.Show(display.SVG(`<svg xmlns=\"http://www.w3.org/2000/svg\"/>`))", "mime": "image/svg+xml"},
        {"code": "display.Show(display.PNG([]byte{0x89, 0x50, 0x4e, 0x47}))", "mime": "image/png"},
        {"code": "j, _ := display.JSON(map[string]int{\"a\": 1})\ndisplay.Show(j)", "mime": "application/json"},
    ]
    code_history_pattern = "1 ? 2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "symmom.Load"
    code_clear_output = "display.Clear()"
    support_iopub_welcome = True
    quiet = []


class IPython:
    kernel_name = "python3"
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('trouble', file=sys.stderr)"
    completion_samples = [{"text": "zi", "matches": {"zip"}}]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x*2\n\n\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x*2"]
    invalid_code_samples = ["import = 7q"]
    code_page_something = "zip?"
    code_generate_error = "raise ValueError('no')"
    code_execute_result = [{"code": "1+2+3", "result": "6"}, {"code": "[n*n for n in range(1, 4)]", "result": "[1, 4, 9]"}]
    code_display_data = [{"code": "from IPython.display import HTML, display; display(HTML('<b>test</b>'))", "mime": "text/html"}]
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "search")  # as in its own tests: a range fails there
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"
    support_iopub_welcome = True
    quiet = ["--log-level=ERROR"]


config = {"symmom": Symmom, "python3": IPython}[sys.argv[1]]
# A sample whose matches are None is only to be answered.
config.completion_samples = [
    {k: v for k, v in s.items() if v is not None} for s in config.completion_samples
]


PATIENCE = 60  # seconds, for a message that must come
jkt.TIMEOUT = PATIENCE


class Messages(config, jkt.KernelTests):
    """The tests with a clock that a busy machine does not beat: theirs wants
    each message of iopub within 0.1 s of the one before, and takes the same
    for the sign that nothing more of an earlier request is to come."""

    def execute_helper(self, code, **options):
        channel = self.kc.iopub_channel
        get = channel.get_msg
        channel.get_msg = lambda timeout: get(timeout=PATIENCE)
        try:
            return super().execute_helper(code, timeout=PATIENCE, **options)
        finally:
            channel.get_msg = get

    def flush_channels(self):
        # What comes on a channel keeps its order: with the answer to a new
        # question, all that belongs to those before it has come.
        asked = self.kc.kernel_info()
        while self.kc.get_shell_msg(timeout=PATIENCE)["parent_header"].get("msg_id") != asked:
            pass
        while True:
            m = self.kc.get_iopub_msg(timeout=PATIENCE)
            if m["parent_header"].get("msg_id") == asked and m["content"].get("execution_state") == "idle":
                break


class Welcome(config, jkt.IopubWelcomeTests):
    @classmethod
    def setUpClass(cls):
        # ipykernel warns of TCP while it starts, now and then on iopub and
        # before the welcome that the test wants first.
        cls.km = KernelManager(kernel_name=cls.kernel_name)
        cls.km.start_kernel(extra_arguments=cls.quiet)
        cls.kc = cls.km.client()


suite = unittest.TestSuite()
for case in (Messages, Welcome):
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
print(json.dumps({
    "ran": result.testsRun,
    "failed": [str(t) + "\n" + why for t, why in result.failures + result.errors],
    "skipped": [str(t) + ": " + why for t, why in result.skipped],
}))
sys.exit(not result.wasSuccessful())
