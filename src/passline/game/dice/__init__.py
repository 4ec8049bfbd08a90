"""Two dice: their 36 outcomes and the weight of each. What a total means is the law's business."""
