internal import JSON
internal import System
internal import Tensors

extension OrreryTask {
    /// Returns the rows of the task's data, with notes for the user.
    func rows() throws(Problem) -> (rows: [DataRow], notes: [String]) {
        let sources = ["data.file", "data.rows", "data.spans", "data.questions"].filter { file[$0] != nil }
        guard let source = sources.first else {
            throw file.error(
                "data", "the task has no data", "Write file = \"...\" or rows = [...] below [data].")
        }
        guard sources.count == 1 else {
            throw file.error(sources[1], "the data already comes from \(source)", "Remove one of the two.")
        }
        let isShuffled = file.flag("data.shuffle")
        var limit = file.integer("data.limit")
        if !isShuffled,
            file.text("few_shot.file") != nil || (options.fewShot ?? file.integer("few_shot.count") ?? 0) == 0
        {
            limit = [limit, options.limit].compactMap { $0 }.min()
        }
        let readLimit = isShuffled ? nil : limit
        var (rows, notes): ([DataRow], [String]) = ([], [])
        switch source {
        case "data.file":
            let path = dataPath(file.text(source) ?? "")
            rows = try DataRows.all(path, member: file.text("data.member"), limit: readLimit)
            guard !rows.isEmpty else { throw file.error(source, "\(path) has no rows") }
        case "data.rows": rows = (file[source]?.elements ?? []).map { DataRow(fields: $0, line: file.line(source)) }
        case "data.spans":
            guard let workspace = options.workspace else { throw withoutWorkspace(source) }
            do {
                let found = try AnnotatedSpans(workspace).rows(matching: file.text(source) ?? "*")
                rows = found.rows
                if found.leftOut > 0 { notes.append(Self.leftOut(found.leftOut)) }
            } catch {
                throw file.error(source, "the spans cannot be read: \(error)")
            }
            guard !rows.isEmpty else {
                throw file.error(
                    source, "no model call, tool call, or search in these runs has a note",
                    "Add a note in the trace panel.")
            }
        default:
            guard let workspace = options.workspace else { throw withoutWorkspace(source) }
            (rows, notes) = (try questions(file.text(source) ?? "", workspace), [])
        }
        if isShuffled {
            var random = PhiloxGenerator(seed: UInt64(file.integer("data.seed") ?? 0))
            rows.shuffle(using: &random)
        }
        if let limit { rows = Array(rows.prefix(limit)) }
        return (rows, notes)
    }

    private static func leftOut(_ count: Int) -> String {
        "\(count == 1 ? "1 note is" : "\(count) notes are") left out: only model calls, tool calls, and searches "
            + "with recorded input can be repeated."
    }

    private func withoutWorkspace(_ key: String) -> Problem {
        file.error(key, "the task needs a workspace", "Name one with --workspace.")
    }
}
