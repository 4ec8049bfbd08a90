"""The lessons of the dealer school, as they are written, and the syllabus.

``drawing_figures`` draws their figures by the engine; ``asking`` puts their questions.
"""
