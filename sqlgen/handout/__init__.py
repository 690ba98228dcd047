"""A page to be handed on: an evidence as one HTML file that needs nothing else."""

from sqlgen.handout.page import page_html, write_page
from sqlgen.handout.plots import check_plots

__all__ = ["check_plots", "page_html", "write_page"]
