"""What a notebook shows, and the example notebook in a real kernel."""

import sys
from pathlib import Path

import pytest

from nim_analyser import Game

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_example_notebook_runs_in_a_kernel(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    manager = pytest.importorskip("jupyter_client").KernelManager
    spec = pytest.importorskip("ipykernel.kernelspec")
    spec.write_kernel_spec(str(tmp_path / "kernels" / "here"))
    notebook = nbformat.read(EXAMPLES / "kayles.ipynb", as_version=4)
    kernel = manager(kernel_name="here")
    kernel.kernel_spec_manager.kernel_dirs.insert(0, str(tmp_path / "kernels"))
    nbclient.NotebookClient(notebook, km=kernel, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    html = [output["data"]["text/html"] for output in shown if "text/html" in output.get("data", {})]
    assert any("take 2 from pile 5, leaving 3" in text for text in html)
    assert any("Guy and Smith" in text for text in html)
    assert any("image/png" in output.get("data", {}) for output in shown)
    assert any("array([0, 1, 2, 3, 1, 4" in output.get("data", {}).get("text/plain", "") for output in shown)


def test_html_shows_what_was_found_and_is_escaped():
    won, lost = Game("kayles").analyse([5, 6])._repr_html_(), Game("nim").analyse([3, 3])._repr_html_()
    assert "<td>[4, 3]</td>" in won and "a winning move" in won
    assert "the player to move loses" in lost and "a winning move" not in lost
    graph = Game(graph=[("<b>&", "c")]).analyse(["<b>&"])._repr_html_()
    assert "&lt;b&gt;&amp;" in graph and "<b>" not in graph
    assert "<td>12</td>" in Game("kayles").period()._repr_html_()
    assert "observed" in Game("kayles").period(limit=120)._repr_html_()


def test_a_plot_has_the_values(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = Game("kayles").plot(100, color="red")
    assert list(axes.lines[0].get_ydata()) == list(Game("kayles").values(100))
    assert (axes.get_title(), axes.lines[0].get_color()) == ("kayles", "red")
    assert Game("nim").plot(10, ax=axes) is axes and len(axes.lines) == 2
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        Game("kayles").plot(10)
