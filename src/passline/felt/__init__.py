"""The felt: a house's layout as a plan, what lies on it, and its picture."""

from passline.felt.plan import Cell, Plan, plan_felt

__all__ = ["Cell", "Plan", "plan_felt"]
