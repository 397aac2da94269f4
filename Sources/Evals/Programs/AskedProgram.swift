internal import LanguageModels
internal import Synchronization

/// A user's program in place of a model, started for every request of an agent, a pipeline, or a judge.
///
/// A failed request is retried once at once. If it fails again in the same way, or takes too long, the sample has no
/// answer, and the run does not wait for the program to recover. After several requests in a row without an answer, the
/// program counts as broken.
final class AskedProgram: LanguageModel {
    private let base: any LanguageModel
    private let mostFailures: Int
    /// Number of requests in a row without an answer.
    private let failures = Mutex(0)

    init(_ base: any LanguageModel, mostFailures: Int = ProgramLimits().failures) {
        self.base = base
        self.mostFailures = mostFailures
    }

    var name: String { base.name }
    var provider: String { base.provider }
    var capabilities: ModelCapabilities { base.capabilities }

    private let wasTold = Atomic(false)

    /// Whether every other request would fail too.
    var isBroken: Bool { failures.withLock { $0 >= mostFailures } }

    /// Returns `true` on the first call only.
    func isFirstToTell() -> Bool { !wasTold.exchange(true, ordering: .relaxed) }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        var before: LanguageModelError?
        while true {
            // Buffer the events, so that an interrupted answer is not reported twice.
            var events: [ModelEvent] = []
            do throws(LanguageModelError) {
                let response = try base.respond(to: request, isCancelled: isCancelled) { events.append($0) }
                failures.withLock { $0 = 0 }
                events.forEach(receive)
                return response
            } catch {
                if error.kind == .server, before == nil {
                    before = error
                    continue
                }
                throw final(error, before)
            }
        }
    }

    /// Returns the error in a form that is not retried.
    private func final(_ error: LanguageModelError, _ before: LanguageModelError?) -> LanguageModelError {
        // A timed-out request stays one, whatever kind the error becomes.
        var error = error
        if error.kind == .timeout { error.remedy = "Allow more time with --program-seconds." }
        if before != nil { error.problem += ", and again on a second attempt" }
        if [.server, .timeout].contains(error.kind) { error.kind = .local }
        let count = failures.withLock { count in
            count += 1
            return count
        }
        if count >= mostFailures {
            error.problem = "\(mostFailures) requests in a row got no answer; last problem: \(error.problem)"
        }
        return error
    }
}

/// Ends a run whose program is broken.
struct AskedProgramSolver: Solver {
    let base: any Solver
    let program: AskedProgram

    var name: String { base.name }
    var identity: String { base.identity }
    var pricedName: String? { base.pricedName }

    func state(for sample: TaskSample) -> String? { base.state(for: sample) }

    func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
        do throws(LanguageModelError) {
            return try base.solve(sample, attempt)
        } catch {
            if program.isBroken {
                attempt.endRun()
                if program.isFirstToTell() { attempt.keepError() }
            }
            throw error
        }
    }
}
