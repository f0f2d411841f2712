"""What a person is shown, as plain JSON values (wire contract, section 4)."""

from git_sidecar.model.plan import Effects, Undo
from git_sidecar.tools.contract import Card, DiffCard, ListCard, ReadCard
from git_sidecar.tools.wire_values import Json


def effects_value(effects: Effects, undo: Undo) -> Json:
    """What a person is told will happen, in numbers."""
    value: Json = {
        name: number
        for name, number in (
            ("filesChanged", effects.files_changed),
            ("linesLost", effects.lines_lost),
            ("untrackedLost", effects.untracked_lost),
            ("commitsPushed", effects.commits_pushed),
            ("commitsDropped", effects.commits_dropped),
            ("remoteUrl", effects.remote_url),
        )
        if number is not None
    }
    if effects.refs:
        value["refs"] = [{"name": ref.name, "old": ref.old, "new": ref.new} for ref in effects.refs]
    value["undo"] = undo.value
    return value


def card_value(card: Card) -> Json:
    """A card (wire contract, section 4)."""
    match card:
        case DiffCard():
            return {
                "kind": "diff",
                "diffs": [
                    {
                        "path": diff.path,
                        **({"oldPath": diff.old_path} if diff.old_path is not None else {}),
                        "oldText": diff.old_text,
                        "newText": diff.new_text,
                        "patch": diff.patch,
                    }
                    for diff in card.diffs
                ],
            }
        case ReadCard():
            return {
                "kind": "read",
                "path": card.path,
                "offset": card.offset,
                "lines": [{"number": line.number, "text": line.text} for line in card.lines],
                "totalLines": card.total_lines,
                **({"language": card.language} if card.language is not None else {}),
            }
        case ListCard():
            return {
                "kind": "list",
                "items": [
                    {
                        name: text
                        for name, text in (
                            ("label", item.label),
                            ("description", item.description),
                            ("detail", item.detail),
                            ("group", item.group),
                        )
                        if text is not None
                    }
                    for item in card.items
                ],
            }
