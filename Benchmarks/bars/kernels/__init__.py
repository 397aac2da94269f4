"""Bars of the kernels: ceilings, rates, imports, same bits."""
