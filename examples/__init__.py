"""Plans to start from; `capframe new` copies them."""
