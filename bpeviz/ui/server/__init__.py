"""Between the browser and Streamlit: guards, headers, memory, and starting the server."""
