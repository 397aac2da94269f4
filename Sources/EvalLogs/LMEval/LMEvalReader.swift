internal import Glibc
internal import JSON
internal import LanguageModels

/// Lines of `samples_<task>_<date>.jsonl`: one for each document and filter. A document is a sample, with the scores of
/// every filter.
struct LMEvalReader: LineLogReader {
    /// Parts with the lines of each filter, in the same order; empty if there is only one filter, or if lines are
    /// mixed.
    let strands: [Range<Int>]
    let isOfOneFilter: Bool
    var isEveryLineASample: Bool { isOfOneFilter || !strands.isEmpty }
    /// Where lines stand mixed, a document's last one may be the last of all.
    var lookAhead: Int { .max }

    /// `{"doc_id": 12, ` is enough.
    func piece(ofStart bytes: [UInt8]) -> LinePiece? {
        let key = Array(#"{"doc_id":"#.utf8)
        guard bytes.starts(with: key) else { return nil }
        let rest = bytes[key.count...].drop { $0 == 0x20 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, rest.dropFirst(digits.count).first == UInt8(ascii: ",") else { return nil }
        return .part(of: String(decoding: digits, as: UTF8.self))
    }

    func piece(_ line: JSONValue) -> LinePiece { line["doc_id"]?.text.map { .part(of: $0) } ?? .samples(1) }

    static func filter(_ line: JSONValue) -> String { line["filter"]?.string ?? "none" }

    func record(_ lines: [JSONValue], part: Int, index: Int, run: EvalRun) -> EvalSampleRecord {
        let line = lines.first ?? .null
        // Lines of strands are put together by their place: one of another document is none of this sample's.
        let lines = lines.filter { $0["doc_id"] == line["doc_id"] }
        let arguments = (line["arguments"]?.members ?? []).map(\.value)
        let prompt = arguments.first.flatMap { argument(0, $0) }
        let continuations = arguments.compactMap { $0["arg_1"]?.string }
        let likelihoods = LMEvalReader.likelihoods(line["filtered_resps"])
        var answer: String?
        if likelihoods.count > 1, likelihoods.count <= continuations.count {
            // The most likely choice, the first of equals.
            let best = likelihoods.indices.reduce(0) { likelihoods[$1] > likelihoods[$0] ? $1 : $0 }
            answer = continuations[best]
        } else if likelihoods.isEmpty, !run.scores.contains(where: { LMEvalHead.isPerSample($0.name) }) {
            answer = line["filtered_resps"].flatMap { $0.elements?.first ?? $0 }?.text
        }
        let scores = lines.flatMap { self.scores($0) }
        let question = question(line["doc"]) ?? prompt.map { String($0.suffix(400)) } ?? ""
        let id = line["doc_id"]?.text ?? "\(index)"
        let numbers = run.scores.map { kind in scores.first { $0.name == kind.name }?.value ?? .nan }
        let outcome: EvalRow.Outcome =
            numbers.first.map { run.scores[0].outcome(of: $0) } ?? .unscored
        let target = line["target"]?.text ?? ""
        let row = EvalRow(
            index: index, id: id, outcome: outcome, scores: numbers, input: question.rowText,
            answer: (answer ?? "").rowText, target: target.rowText)
        var messages = [Message(.user, [.text(prompt ?? question)])]
        let said =
            likelihoods.isEmpty && answer != nil
            ? line["resps"]?.elements?.first.flatMap { $0.elements?.first ?? $0 }?.text : answer
        if let said { messages.append(Message(.assistant, [.text(said)])) }
        return EvalSampleRecord(
            row: row, messages: messages, input: prompt ?? question, answer: said ?? answer, targets: [target],
            choices: continuations.count > 1 ? continuations : [], scores: scores, metadata: line["doc"]?.json())
    }

    private func argument(_ number: Int, _ value: JSONValue) -> String? {
        guard let text = value["arg_\(number)"]?.string else { return value["arg_\(number)"]?.text }
        return text
    }

    /// `[[-1.5, false], ...]` or one such pair: the first numbers.
    private static func likelihoods(_ value: JSONValue?) -> [Double] {
        guard let list = value?.elements else { return [] }
        let pairs = list.compactMap { pair -> Double? in
            guard let elements = pair.elements, elements.count == 2,
                elements[1].bool != nil || elements[1].string != nil
            else { return nil }
            return elements[0].double ?? elements[0].string.flatMap { Double($0) }
        }
        return pairs.count == list.count ? pairs : []
    }

    private func question(_ doc: JSONValue?) -> String? {
        for key in ["question", "query", "problem", "input", "goal", "sentence", "text", "prompt", "ctx"] {
            if let text = doc?[key]?.string, !text.isEmpty { return text }
        }
        return nil
    }

    /// The scores of one document behind one filter.
    private func scores(_ line: JSONValue) -> [EvalScore] {
        let filter = LMEvalReader.filter(line)
        let filtered = line["filtered_resps"].flatMap { $0.elements?.first ?? $0 }?.string
        return (line["metrics"]?.elements?.compactMap(\.string) ?? []).map { metric in
            let name = "\(metric),\(filter)"
            let value = line[metric]
            if let parts = value?.elements?.compactMap(\.double), parts.count == 2,
                LMEvalHead.perSample.contains(metric),
                parts[1] != 0
            {
                let rate = -parts[0] / parts[1]
                return EvalScore(name, value: metric == "bits_per_byte" ? rate / M_LN2 : exp(rate), parts: parts)
            }
            let number = value?.score
            return EvalScore(
                name, value: number, label: number == nil ? value?.text : nil, answer: filtered,
                problem: number == nil ? "no numeric value" : nil)
        }
    }
}
