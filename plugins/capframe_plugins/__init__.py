"""The first-party plugins, written as a third party would write them: they import capframe and nothing else of ours."""
