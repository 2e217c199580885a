"""Fetches a model's files from a model hub, where one can be reached."""

from pathlib import Path

from assay.errors import InputError

# Never a file that runs code when it is loaded.
_FILES = ("*.json", "*.safetensors", "*.onnx", "*.model", "*.txt")


def fetch_model(name: str) -> Path:
    """The folder with the files of OWNER/NAME; raises InputError where the hub or the model can't be reached."""
    remedy = f"Download {name} elsewhere, and write local:FOLDER"
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError
    except ModuleNotFoundError:
        install = "Install it with `pip install 'assay-judge[local]'`, or write local:FOLDER"
        raise InputError(f"there is no folder {name}, and huggingface_hub is not installed", remedy=install) from None
    try:
        return Path(snapshot_download(name, allow_patterns=list(_FILES)))
    except (HfHubHTTPError, OSError, ValueError, RuntimeError) as error:
        kind = type(error).__name__
        raise InputError(
            f"there is no folder {name}, and the model hub did not provide it ({kind})", remedy=remedy
        ) from None
