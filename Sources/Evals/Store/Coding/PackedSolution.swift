package import Bytes
internal import EvalLogs
internal import LanguageModels

// The solution of a sample, as bytes.

extension Likelihood: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(logProbability, isGreedy, tokens, usage, rule)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            logProbability: try reader.next(), isGreedy: try reader.next(), tokens: try reader.next(),
            usage: try reader.next())
        rule = try reader.next()
    }
}

extension Likelihood.Token: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(text, id, logProbability, isGreedy) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            text: try reader.next(), id: try reader.next(), logProbability: try reader.next(),
            isGreedy: try reader.next())
    }
}

extension SolutionPassage: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(document, chunk, text, score, isInContext) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            document: try reader.next(), chunk: try reader.next(), text: try reader.next(), score: try reader.next(),
            isInContext: try reader.next())
    }
}

extension Alternative: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(id, text, logProbability) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(id: try reader.next(), text: try reader.next(), logProbability: try reader.next())
    }
}

/// Tokens of an answer with their probabilities; the effects of logit processors are not stored.
extension TokenStep: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(text, id, logProbability, entropy, seconds, alternatives)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            text: try reader.next(), id: try reader.next(), logProbability: try reader.next(),
            entropy: try reader.next(), seconds: try reader.next(), alternatives: try reader.next())
    }
}

extension SolutionStep: Packed {
    package func pack(into writer: inout PackedWriter) {
        switch self {
        case .model(let call):
            writer.write(
                UInt8(0), call.provider, call.model, call.specification, call.request, call.response, call.likelihood)
            writer.write(call.problem, call.purpose, call.start, call.end, call.answered)
        case .tool(let run): writer.write(UInt8(1), run.call, run.result, run.start, run.end)
        case .search(let search):
            writer.write(
                UInt8(2), search.corpus, search.pipeline, search.question, search.passages, search.start, search.end,
                search.problem)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        switch try reader.next(UInt8.self) {
        case 0:
            self = .model(
                .init(
                    provider: try reader.next(), model: try reader.next(), specification: try reader.next(),
                    request: try reader.next(), response: try reader.next(), likelihood: try reader.next(),
                    problem: try reader.next(), purpose: try reader.next(), start: try reader.next(),
                    end: try reader.next(), answered: try reader.next()))
        case 1:
            self = .tool(
                .init(
                    call: try reader.next(), result: try reader.next(), start: try reader.next(),
                    end: try reader.next()))
        case 2:
            self = .search(
                .init(
                    corpus: try reader.next(), pipeline: try reader.next(), question: try reader.next(),
                    passages: try reader.next(), start: try reader.next(), end: try reader.next(),
                    problem: try reader.next()))
        case let tag: throw reader.failure("unknown kind \(tag) of step")
        }
    }
}

extension Solution: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(answers, likelihoods, alone, passages, steps, usage, seconds, retries, standardError)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            answers: try reader.next(), likelihoods: try reader.next(), alone: try reader.next(),
            passages: try reader.next(), steps: try reader.next(), usage: try reader.next(),
            seconds: try reader.next(), retries: try reader.next(), standardError: try reader.next())
    }
}

extension EvalScore: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(name, value, label, answer, explanation, problem, confidence, parts)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            try reader.next(), value: try reader.next(), label: try reader.next(), answer: try reader.next(),
            explanation: try reader.next(), problem: try reader.next(), confidence: try reader.next(),
            parts: try reader.next())
    }
}

/// Everything stored of a sample except its row: solution, scores, and request.
package struct StoredSample: Packed, Hashable, Sendable {
    var solution: Solution
    var scores: [EvalScore]
    /// Whole request as text.
    var input: String
    var targets: [String]
    var choices: [String]
    /// Row of the dataset as JSON text; `nil` if there is none.
    var fields: String?
    /// Start in nanoseconds since 1970.
    var start: Int64
    var end: Int64

    package func pack(into writer: inout PackedWriter) {
        writer.write(UInt8(1), solution, scores, input, targets, choices, fields, start, end)
    }
}

extension StoredSample {
    package init(from reader: inout ByteReader) throws(ByteDamage) {
        try reader.version(upTo: 1)
        self.init(
            solution: try reader.next(), scores: try reader.next(), input: try reader.next(),
            targets: try reader.next(), choices: try reader.next(), fields: try reader.next(),
            start: try reader.next(), end: try reader.next())
    }

    init(_ bytes: [UInt8]) throws(ByteDamage) {
        self = try bytes.withRawBytes { (bytes) throws(ByteDamage) in
            var reader = ByteReader(bytes)
            let sample = try StoredSample(from: &reader)
            guard reader.isAtEnd else { throw reader.failure("excess bytes") }
            return sample
        }
    }
}
