"""Model values as plain JSON values: camelCase, absent rather than null where the contract marks a field optional."""

from git_sidecar.model.refusal import Refusal
from git_sidecar.model.repository import KnownRepository
from git_sidecar.tools.wire_values import Json, conflict_value, repository_identity


def refusal_value(refusal: Refusal) -> Json:
    """A refusal (wire contract, section 6)."""
    value: Json = {
        "code": refusal.code.value,
        "message": refusal.message,
        "retry": refusal.effective_retry.value,
    }
    if refusal.candidates is not None:
        value["candidates"] = [
            {"label": candidate.label, "root": candidate.root, "matches": candidate.matches}
            for candidate in refusal.candidates
        ]
    if refusal.conflicts is not None:
        value["conflicts"] = [conflict_value(conflict) for conflict in refusal.conflicts]
    for name, text in (
        ("hint", refusal.hint),
        ("setting", refusal.setting),
        ("stderr", refusal.stderr),
        ("stdout", refusal.stdout),
        ("exitCode", refusal.exit_code),
    ):
        if text is not None:
            value[name] = text
    return value


def refusal_text(value: Json) -> str:
    """What the model reads of a refusal, from its wire form and nothing else."""
    parts = [f"Refused ({value['code']}): {value['message']}"]
    if hint := value.get("hint"):
        parts.append(f"Next: {hint}")
    if candidates := value.get("candidates"):
        parts.append("Known repositories:")
        parts += [
            f"- {candidate['label']} ({candidate['root']})" + (" [matches]" if candidate["matches"] else "")
            for candidate in candidates
        ]
    if conflicts := value.get("conflicts"):
        parts.append("Conflicts:")
        parts += [f"- {conflict['code']} {conflict['path']}" for conflict in conflicts]
    for name in ("stderr", "stdout"):
        if said := value.get(name):
            parts.append(f"{name}:\n{said}")
    return "\n".join(parts)


def repository_value(known: KnownRepository) -> Json:
    """A row of git/repositories."""
    return {
        **repository_identity(known),
        "relativePath": known.relative_path,
        "folderName": known.folder_name,
        "selected": known.selected,
        "kind": known.kind.value,
        "source": known.source.value,
    }
