internal import EvalLogs
internal import LanguageModels
internal import Synchronization
internal import Traces

extension RunSession {
    /// Returns the row of a sample for lists.
    func row(
        _ sample: TaskSample, _ epoch: Int, _ work: RunSchedule.Work, _ solution: Solution, _ scores: [EvalScore]
    ) -> EvalRow {
        let kinds = runner.plan.kinds
        let values = kinds.map { kind in scores.first { $0.name == kind.name }?.value ?? .nan }
        let outcome: EvalRow.Outcome
        if let kind = kinds.first, let value = values.first, !value.isNaN {
            outcome = kind.outcome(of: value)
        } else {
            outcome = .unscored
        }
        return EvalRow(
            index: work.place, id: sample.id, epoch: epoch, outcome: outcome, scores: values,
            input: Self.line(sample.request.inputText),
            // The text that a scorer extracted says more than the beginning of the answer.
            answer: Self.line(scores.first?.answer ?? solution.answers.first ?? ""),
            target: Self.line(sample.right ?? sample.targets.first ?? ""), cluster: sample.cluster,
            slices: sample.slices,
            problem: outcome == .unscored ? scores.first?.problem : nil, seconds: solution.seconds)
    }

    /// Returns the first 200 characters, with spaces instead of line ends.
    static func line(_ text: String) -> String {
        var bytes: [UInt8] = []
        var isPlain = true
        for byte in text.utf8 {
            if bytes.count == 200 { break }
            if byte >= 0x80 { isPlain = false }
            bytes.append(byte < 0x20 ? 0x20 : byte)
        }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        return String(text.prefix(200).map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// Returns the usage of an answer: requests, tokens, dollars.
    ///
    /// - Parameter first: Index of the first step that this run paid for.
    func spending(_ solution: Solution, from first: Int, isCached: Bool) -> EvalSpending {
        var took = EvalSpending()
        var told = Usage()
        for case .model(let call) in solution.steps.dropFirst(first) {
            took.requests += 1
            guard let usage = call.response?.usage ?? call.likelihood?.usage else {
                // Unreported usage is unknown, not zero; without a response nothing was charged.
                if call.response != nil {
                    took.cost = nil
                    took.isUntold = true
                }
                continue
            }
            told += usage
            // The model may report another name than the requested one.
            let own = call.response?.model
            let cost =
                own.flatMap { runner.prices.cost(of: usage, by: $0) }
                ?? runner.prices.cost(of: usage, by: call.model)
            took.cost = cost.flatMap { cost in took.cost.map { $0 + cost } }
        }
        took.usage = told
        // A program reports its usage as one sum.
        if !isCached, took.requests == 0 {
            took.requests = 1
            if let usage = solution.usage {
                took.usage = usage
                took.cost = runner.prices.cost(of: usage, by: runner.order.solver.name)
            }
        }
        return took
    }
}

/// Reports of solvers and judges, collected while they work.
final class StepNotes: Sendable {
    private struct Kept {
        var steps: [SolutionStep] = []
        var left: Solution?
        var failure: LanguageModelError?
        var endsRun = false
        var keepsError = false
    }

    private let kept = Mutex(Kept())

    func add(_ step: SolutionStep) { kept.withLock { $0.steps.append(step) } }
    func keep(_ left: Solution) { kept.withLock { $0.left = left } }
    /// Notes a failure. Of several, the longest wait counts.
    func fail(_ error: LanguageModelError) {
        kept.withLock { kept in
            if let known = kept.failure, (known.retryAfter ?? 0) >= (error.retryAfter ?? 0) { return }
            kept.failure = error
        }
    }
    func endRun() { kept.withLock { $0.endsRun = true } }
    func keepError() { kept.withLock { $0.keepsError = true } }

    var steps: [SolutionStep] { kept.withLock { $0.steps } }
    /// Work before a failure; `nil` if nothing was reported.
    var left: Solution? { kept.withLock { $0.left } }
    var failure: LanguageModelError? { kept.withLock { $0.failure } }
    var endsRun: Bool { kept.withLock { $0.endsRun } }
    var keepsError: Bool { kept.withLock { $0.keepsError } }
}

extension Solution {
    /// Whether a response was cut off.
    var wasCut: Bool {
        steps.contains { step in
            if case .model(let call) = step { call.response?.finish == .cancelled } else { false }
        }
    }

    /// Seconds of the longest request, or of the whole sample if no request has a time.
    var requestSeconds: Double {
        var longest: Double?
        for case .model(let call) in steps where call.purpose == nil {
            longest = max(longest ?? 0, call.response?.seconds ?? Double(call.end &- call.start) * 1e-9)
        }
        return longest ?? seconds
    }
}

extension SampleSeed {
    /// Returns a number in [0, 1) for the pause before a retry, derived from sample and attempt, so that retries spread
    /// out.
    static func lot(_ sample: String, _ place: Int, _ retries: Int) -> Double {
        Double(seed(of: sample, epoch: place &* 64 &+ retries, run: 0x6C6F_7473) >> 11) * 0x1p-53
    }
}
