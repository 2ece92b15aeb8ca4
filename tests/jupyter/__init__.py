"""Players in JupyterLab, in Chromium. JupyterLab and the wheel get their own environment."""
