"""What one visitor has open: runs, the step, and what each page remembers."""
