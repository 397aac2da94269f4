internal import LanguageModels
internal import Traces

/// Puts the spans of a foreign retrieval together into a record.
struct RecordAssembly {
    private var record: RetrievalRecord
    /// Recorded documents by their keys: id, text, or source.
    private var places: [String: PassageID] = [:]
    private var sources: [String?] = []
    private var ids: [String?] = []
    private var start: Int64?
    private var end: Int64?
    /// The spans are of a run of our own: ids are those of chunks, which say nothing to a reader.
    private var isOwn = false
    var notes: [String] = []

    init(origin: RetrievalRecord.Origin) {
        record = RetrievalRecord(query: "", origin: origin)
    }

    var finished: RetrievalRecord {
        var finished = record
        if let start, let end, end >= start { finished.seconds = Double(end - start) / 1e9 }
        let nameless = finished.passages.count { $0.text == nil }
        finished.notes = notes
        if nameless > 0 {
            finished.notes.append(
                "\(nameless) of \(finished.passages.count) documents were recorded without their text.")
        }
        return finished
    }

    // MARK: Searches and rerankers

    mutating func add(search span: Span, _ found: RecordedRetrieval?, texts: [String: String]) {
        note(span)
        guard let found else {
            notes.append("\(span.name) recorded no documents.")
            return
        }
        if record.query.isEmpty {
            record.query = found.query ?? ""
        } else if let query = found.query, query != record.query {
            if !record.rewrites.contains(where: { $0.text == query }) {
                record.rewrites.append(.init(kind: "additional query", text: query))
            }
        }
        isOwn = isOwn || found.stage != nil
        let kind = found.stage.flatMap(Stage.Kind.init(rawValue:)) ?? .retrieved
        var stage = Stage(name: unique(span.name), kind: kind, kept: found.documents.count)
        if kind == .fused { stage.inputs = record.stages.filter { $0.kind != .fused }.map(\.name) }
        stage.seconds = span.duration.map { Double($0) / 1e9 }
        if let limit = found.limit { stage.parameters.append(.init("k", String(limit))) }
        if let model = found.model { stage.parameters.append(.init("model", model)) }
        stage.parameters += found.settings.map { .init($0.name, $0.value) }
        stage.entries = entries(found.documents, texts)
        record.stages.append(stage)
    }

    /// The context as a run of our own recorded it: what of the last ranking it holds.
    mutating func add(context span: Span, _ found: RecordedRetrieval) {
        note(span)
        var stage = Stage(
            name: unique(span.name), kind: .context, kept: found.documents.count,
            inputs: record.stages.last.map { [$0.name] } ?? [], seconds: span.duration.map { Double($0) / 1e9 })
        stage.parameters = found.settings.map { .init($0.name, $0.value) }
        let last = record.stages.last?.entries.filter(\.verdict.isKept).map(\.passage) ?? []
        stage.entries = entries(found.documents, [:])
        let held = Set(stage.entries.map(\.passage))
        for passage in last where !held.contains(passage) {
            stage.entries.append(.init(passage: passage, rank: stage.entries.count + 1, score: nil, verdict: .cut))
        }
        record.stages.append(stage)
        let pieces = stage.entries.filter(\.verdict.isKept).enumerated().map { index, entry in
            ContextRecord.Piece(
                passage: entry.passage, mark: "[\(index + 1)]", size: record[entry.passage].text?.count ?? 0)
        }
        record.context = ContextRecord(
            passages: pieces, budget: nil, used: pieces.reduce(0) { $0 + $1.size }, unit: "characters")
    }

    /// Adds the answer to a recorded context.
    mutating func add(answer: String, by reader: Span) { addAnswer(answer, record.context?.passages ?? [], by: reader) }

    /// What went in and did not come out was cut, behind what came out and in the order in which it went in.
    mutating func add(reranker span: Span, _ found: RecordedRetrieval?, texts: [String: String]) {
        note(span)
        guard let found else {
            notes.append("\(span.name) recorded no documents.")
            return
        }
        if record.query.isEmpty { record.query = found.query ?? "" }
        var stage = Stage(name: unique(span.name), kind: .reranked, kept: found.documents.count)
        stage.inputs = record.stages.map(\.name)
        stage.seconds = span.duration.map { Double($0) / 1e9 }
        if let limit = found.limit { stage.parameters.append(.init("k", String(limit))) }
        if let model = found.model { stage.parameters.append(.init("model", model)) }
        stage.parameters += found.settings.filter { $0.name != "model" }.map { .init($0.name, $0.value) }
        stage.entries = entries(found.documents, texts)
        let out = Set(stage.entries.map(\.passage))
        let before =
            found.inputs.isEmpty
            ? record.stages.last?.entries.map(\.passage) ?? [] : found.inputs.map { place($0, texts) }
        for passage in before where !out.contains(passage) {
            stage.entries.append(.init(passage: passage, rank: stage.entries.count + 1, score: nil, verdict: .cut))
        }
        if found.inputs.isEmpty { stage.note = "input not recorded; taken from the previous stage" }
        record.stages.append(stage)
    }

    private mutating func entries(_ documents: [RecordedRetrieval.Document], _ texts: [String: String]) -> [Stage.Entry]
    {
        var entries: [Stage.Entry] = []
        var seen: Set<PassageID> = []
        for document in documents {
            let passage = place(document, texts)
            guard seen.insert(passage).inserted else { continue }
            // OTLP allows NaN, which JSON cannot represent and which differs from itself.
            let score = document.score.flatMap { $0.isFinite ? $0 : nil }
            entries.append(.init(passage: passage, rank: entries.count + 1, score: score))
        }
        return entries
    }

    private mutating func note(_ span: Span) {
        start = min(start ?? span.start, span.start)
        if let ended = span.end { end = max(end ?? ended, ended) }
    }

    private func unique(_ name: String) -> String {
        var candidate = name
        var number = 2
        while record.stages.contains(where: { $0.name == candidate }) {
            candidate = "\(name) \(number)"
            number += 1
        }
        return candidate
    }

    // MARK: Documents

    /// Returns the passage of a document; documents are equal if their ids are, or, without ids, their texts.
    private mutating func place(_ document: RecordedRetrieval.Document, _ texts: [String: String]) -> PassageID {
        let text = document.text ?? document.id.flatMap { texts[$0] }
        let key = document.id.map { "id \($0)" } ?? text.map { "text \($0)" } ?? "source \(document.source ?? "")"
        if let known = places[key] ?? namedByText(document, text) {
            if record.passages[known.index].text == nil { record.passages[known.index].text = text }
            if let id = document.id, ids[known.index] == nil {
                ids[known.index] = id
                places[key] = known
            }
            return known
        }
        let passage = PassageID(record.passages.count)
        let name =
            (isOwn ? document.source : nil) ?? document.id ?? document.source ?? text.map(Self.beginning)
            ?? "document \(passage.index + 1)"
        record.passages.append(Passage(document: name, label: Self.beginning(name), text: text))
        ids.append(document.id)
        sources.append(document.source)
        places[key] = passage
        if let text, places["text \(text)"] == nil { places["text \(text)"] = passage }
        return passage
    }

    /// Returns the passage with a text: a list without ids may name by text what another list named by id. Two ids
    /// are two documents, even if they say the same.
    private func namedByText(_ document: RecordedRetrieval.Document, _ text: String?) -> PassageID? {
        guard let text, let known = places["text \(text)"] else { return nil }
        return document.id == nil || ids[known.index] == nil ? known : nil
    }

    /// Returns a short name: the last part of a path, or how a text begins.
    private static func beginning(_ name: String) -> String {
        let line = name.split(whereSeparator: \.isNewline).first.map(String.init) ?? name
        return line.count > 48 ? String(line.prefix(47)) + "…" : line
    }

    mutating func match(with matcher: any PassageMatching) throws {
        for index in record.passages.indices {
            let passage = record.passages[index]
            guard let found = try matcher.match(id: ids[index], source: sources[index], text: passage.text) else {
                continue
            }
            record.passages[index].chunk = found.chunk.id
            record.passages[index].range = found.chunk.range
            record.passages[index].match = found.by
            record.passages[index].matchedLabel = found.chunk.label
            if isOwn { record.passages[index].label = found.chunk.label }
            if passage.text == nil { record.passages[index].text = found.chunk.text }
        }
    }

    // MARK: The prompt and the answer

    /// The stage of the prompt: what of the last ranking its text holds, in the prompt's order.
    mutating func add(prompt: String, answer: String, by reader: Span) {
        guard !prompt.isEmpty else {
            notes.append("The prompt of \(reader.name) was not recorded.")
            return addAnswer(answer, [], by: reader)
        }
        let flat = Self.flattened(prompt)
        let candidates = record.stages.last?.entries.map(\.passage) ?? []
        var held: [(passage: PassageID, place: Int)] = []
        var left: [PassageID] = []
        var unknown = 0
        for passage in candidates {
            if let place = Self.place(of: record[passage], in: flat) {
                held.append((passage, place))
            } else {
                if record[passage].text == nil { unknown += 1 }
                left.append(passage)
            }
        }
        held.sort { $0.place < $1.place }
        var stage = Stage(
            name: "in the prompt", kind: .context, kept: held.count, inputs: record.stages.last.map { [$0.name] } ?? [])
        for (passage, _) in held {
            stage.entries.append(.init(passage: passage, rank: stage.entries.count + 1, score: nil))
        }
        for passage in left {
            stage.entries.append(.init(passage: passage, rank: stage.entries.count + 1, score: nil, verdict: .cut))
        }
        if unknown > 0 { stage.note = "\(unknown) documents could be checked only by id" }
        record.stages.append(stage)
        let pieces = held.enumerated().map { index, item in
            ContextRecord.Piece(
                passage: item.passage, mark: "[\(index + 1)]", size: record[item.passage].text?.count ?? 0)
        }
        record.context = ContextRecord(
            passages: pieces, budget: nil, used: pieces.reduce(0) { $0 + $1.size }, unit: "characters")
        addAnswer(answer, pieces, by: reader)
    }

    private mutating func addAnswer(_ answer: String, _ pieces: [ContextRecord.Piece], by reader: Span) {
        guard !answer.isEmpty else { return }
        var citations = Citations.of(
            answer, passages: pieces.map { ($0.mark, $0.passage, record[$0.passage].text ?? "") })
        // Systems of others name documents by their ids as well.
        for piece in pieces {
            let name = record[piece.passage].document
            guard name.count >= 3, let range = Self.range(of: name, in: answer) else { continue }
            citations.append(.init(range: range, passage: piece.passage, isExplicit: true))
        }
        citations.sort { ($0.range.lowerBound, $0.passage.index) < ($1.range.lowerBound, $1.passage.index) }
        record.answer = AnswerRecord(text: answer, model: reader.model, citations: citations)
    }

    /// Where a passage stands in a prompt: its text, how its text begins, or its id.
    private static func place(of passage: Passage, in prompt: String) -> Int? {
        if let text = passage.text {
            let flat = flattened(text)
            if !flat.isEmpty, let range = range(of: flat, in: prompt) { return range.lowerBound }
            // Prompts cut long texts, and some escape them.
            let start = String(flat.prefix(80))
            if start.count >= 24, let range = range(of: start, in: prompt) { return range.lowerBound }
            return nil
        }
        return passage.document.count >= 3 ? range(of: passage.document, in: prompt)?.lowerBound : nil
    }

    /// Bytes where a text stands in another.
    private static func range(of text: String, in whole: String) -> Range<Int>? {
        guard let found = whole.firstRange(of: text) else { return nil }
        let start = whole.utf8.distance(from: whole.startIndex, to: found.lowerBound)
        return start..<start + text.utf8.count
    }

    /// Returns a text with every run of white space as one blank, and without the escapes of a text within JSON.
    private static func flattened(_ text: String) -> String {
        text.replacing("\\n", with: " ").replacing("\\\"", with: "\"").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
