"""The same run on a Ray cluster: Ray Data in, a folder of Parquet out. Needs the extra `ray`."""

from assay.ray.judging import RayRun, judge

__all__ = ["RayRun", "judge"]
