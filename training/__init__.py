"""How Assay's small pair model is made: from public pairs and rule-made corruptions to an ONNX file with its card."""
