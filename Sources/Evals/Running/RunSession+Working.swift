internal import EvalLogs
internal import JSON
internal import LanguageModels
internal import Providers
internal import System
internal import Workspace

extension RunSession {
    /// Sends one sample after another; the body of every worker.
    func work() {
        var isSleeping = false
        while true {
            let (work, wakesAnother) = shared.wait(on: Condition.workers) { state -> (RunSchedule.Work?, Bool)? in
                if isSleeping {
                    state.sleeping -= 1
                    isSleeping = false
                }
                let moment = now()
                switch state.schedule.next(at: moment) {
                case .work(let work):
                    return (work, state.sleeping > 0 && state.schedule.hasRoom(at: moment))
                case .end: return (nil, false)
                case .wait:
                    state.sleeping += 1
                    isSleeping = true
                    return nil
                }
            }
            guard let work else { break }
            if wakesAnother { shared.wakeOne(Condition.workers) }
            answer(work)
        }
        let isLast = shared.withLock { state in
            state.living -= 1
            return state.living == 0
        }
        shared.wakeAll(Condition.workers)
        if isLast { shared.wakeAll(Condition.keeper) }
    }

    private func answer(_ work: RunSchedule.Work) {
        let sample = runner.plan.sample(at: work.place)
        let epoch = runner.plan.epoch(at: work.place)
        let seed = SampleSeed.seed(of: sample.id, epoch: epoch, run: runner.order.options.seed)
        let start = runner.clock.wall()
        if let kept = shared.withLock({ $0.unjudged.removeValue(forKey: work.place) }) {
            keep(kept.solution, sample, epoch, seed, work, start: start, isCached: kept.isCached)
            return
        }
        if let solution = earlier(work.place) {
            keep(solution, sample, epoch, seed, work, start: start, isCached: true)
            return
        }
        let solution: Solution
        let notes = StepNotes()
        do throws(LanguageModelError) {
            solution = try runner.order.solver.solve(
                sample,
                SolvingAttempt(
                    epoch: epoch, seed: seed, left: { notes.keep($0) }, endRun: { notes.endRun() },
                    keepError: { notes.keepError() }, isCancelled: { [self] in isEnding }))
        } catch {
            let failure = EvalFailure(error, endsRun: notes.endsRun, isKept: notes.keepsError)
            fail(failure, notes.left, sample, epoch, work, start: start)
            return
        }
        if isEnding, solution.wasCut {
            shared.withLock { $0.schedule.dropped(place: work.place) }
            return
        }
        keep(solution, sample, epoch, seed, work, start: start, isCached: false)
    }

    /// Returns the answer of an earlier run to the same request.
    private func earlier(_ place: Int) -> Solution? {
        guard let id = cached[place] else { return nil }
        let found = try? runner.workspace.read { db -> StoredSample? in
            let row = try Workspace.Statement(db, "SELECT data FROM eval_record WHERE id = ?")
            row.bind(1, id)
            return try row.first { try StoredSample(try Decompressor().decompress($0.blob(0))) }
        }
        guard var stored = found else { return nil }
        // Call the judges again: this run may have other judges.
        stored.solution.steps.removeAll {
            if case .model(let call) = $0 { call.purpose != nil } else { false }
        }
        return stored.solution
    }

    /// Scores an answer and hands it to the committer.
    private func keep(
        _ solution: Solution, _ sample: TaskSample, _ epoch: Int, _ seed: UInt64, _ work: RunSchedule.Work,
        start: Int64, isCached: Bool
    ) {
        let answered = solution
        var solution = solution
        solution.retries += work.retries
        let (scores, failure) = judge(&solution, sample, seed)
        let isUnscored = scores.contains { $0.value == nil }
        // A judge, a program, or a sandbox that was cut off says nothing about the answer: the sample is repeated.
        if isEnding, isUnscored || solution.wasCut {
            shared.withLock { state in
                if !answered.wasCut {
                    state.unjudged[work.place] = UnjudgedSample(solution: answered, isCached: isCached)
                }
                state.schedule.dropped(place: work.place)
            }
            return
        }
        let isGone = shared.withLock { state -> Bool in
            guard let failure, isUnscored else {
                if !scores.isEmpty { state.judging.answered() }
                return false
            }
            state.judging.failed(work.place, failure, at: now())
            guard let reason = state.judging.reason(at: now()) else { return false }
            state.schedule.stop(.failed(reason))
            state.unjudged[work.place] = UnjudgedSample(solution: answered, isCached: isCached)
            state.schedule.dropped(place: work.place)
            return true
        }
        if isGone {
            shared.wakeAll(Condition.keeper)
            return
        }
        if isUnscored, let failure {
            let paid = spending(solution, from: answered.steps.count, isCached: true)
            let kept = UnjudgedSample(solution: answered, isCached: isCached)
            if isPutBack(work, failure, sample, took: paid, keeping: kept) { return }
        }
        // For a reused answer, only the judges cost anything.
        let took = spending(solution, from: isCached ? solution.steps.count - judges(solution) : 0, isCached: isCached)
        let key =
            runner.order.options.usesCache && !isCached
            ? CacheKey.key(
                identity: runner.order.solver.identity, state: runner.order.solver.state(for: sample), sample: sample,
                epoch: epoch, seed: seed) : nil
        var row = row(sample, epoch, work, solution, scores)
        row.wasCached = isCached && (!own.contains(work.place) || replaced[work.place]?.wasCached ?? false)
        // The duration was not measured in this run.
        if row.wasCached { row.seconds = nil }
        // A reused answer shows its original cost; the run's own sums show that nothing was paid.
        row.cost = isCached ? spending(solution, from: 0, isCached: false).cost : took.cost
        row.tokens = solution.usage?.total
        finish(row, solution, scores, sample, work, took, start: start, key: key, isCached: isCached)
    }

    private func judges(_ solution: Solution) -> Int {
        solution.steps.count { if case .model(let call) = $0 { call.purpose != nil } else { false } }
    }

    /// - Returns: Scores, and the failure of a judge; `nil` if none failed.
    private func judge(
        _ solution: inout Solution, _ sample: TaskSample, _ seed: UInt64
    ) -> (scores: [EvalScore], failure: EvalFailure?) {
        let scorers = runner.plan.scorers
        guard !scorers.isEmpty else { return ([], nil) }
        let notes = StepNotes()
        var room = runner.order.room
        room.note = { notes.add($0) }
        room.isCancelled = { [self] in isEnding }
        room.seed = seed
        room.failed = { notes.fail($0) }
        room.endRun = { notes.endRun() }
        if let embed = room.embed {
            room.embed = { texts in
                do { return try embed(texts) } catch {
                    if let error = error as? LanguageModelError { notes.fail(error) }
                    throw error
                }
            }
        }
        var scores: [EvalScore] = []
        for scorer in scorers { scores += scorer.score(solution, of: sample, in: room) }
        solution.steps += notes.steps
        return (scores, notes.failure.map { EvalFailure($0, endsRun: notes.endsRun) })
    }

    /// Returns whether a failed sample is out of its worker's hands: it is sent or judged again later, or the run ends
    /// because of it.
    ///
    /// - Parameter kept: Answer that is not requested again.
    private func isPutBack(
        _ work: RunSchedule.Work, _ failure: EvalFailure, _ sample: TaskSample, took: EvalSpending,
        keeping kept: UnjudgedSample? = nil
    ) -> Bool {
        let lot = SampleSeed.lot(sample.id, work.place, work.retries)
        let isHandled = shared.withLock { state -> Bool in
            let moment = now()
            if kept != nil { state.schedule.wasThere() }
            if let cause = failure.cause {
                if state.schedule.failed(
                    work, cause: cause, asked: failure.retryAfter, detail: failure.detail, lot: lot, at: moment,
                    isUnreachable: failure.isUnreachable, maximumRetries: failure.maximumRetries, took: took)
                {
                    state.unjudged[work.place] = kept
                    return true
                }
            } else {
                state.schedule.heard()
            }
            // Every other sample would fail in the same way: nothing is stored, and the run can resume after a fix. An
            // answer that was paid for is stored without its scores.
            let hasPaid = kept.map { !$0.solution.steps.isEmpty } ?? false
            let isAlone = failure.isUnreachable && !state.wasAnswered && !hasPaid
            guard failure.concernsAll || isAlone else { return false }
            state.schedule.stop(.failed(failure.sentence))
            guard !failure.isKept else { return false }
            state.schedule.dropped(place: work.place)
            return true
        }
        if isHandled { shared.wakeAll(Condition.keeper) }
        return isHandled
    }

    /// Takes back a failed sample: it is sent again, or ends in an error.
    ///
    /// - Parameter left: What was done, and paid for, before the failure.
    private func fail(
        _ failure: EvalFailure, _ left: Solution?, _ sample: TaskSample, _ epoch: Int, _ work: RunSchedule.Work,
        start: Int64
    ) {
        if isEnding {
            shared.withLock { $0.schedule.dropped(place: work.place) }
            return
        }
        var left = left ?? Solution()
        let seconds = left.seconds > 0 ? left.seconds : Double(max(0, runner.clock.wall() - start)) * 1e-9
        if failure.isCutOff {
            let request = left.steps.isEmpty ? seconds : left.requestSeconds
            shared.withLock { $0.meter.request(seconds: request) }
        }
        let took =
            left.steps.isEmpty ? EvalSpending(requests: 1, cost: 0) : spending(left, from: 0, isCached: false)
        if isPutBack(work, failure, sample, took: took) { return }
        left.retries += work.retries
        let failed = FailedSample(
            sentence: failure.sentence, left: left, sample: sample, epoch: epoch, work: work, took: took, start: start,
            seconds: failure.isCutOff ? seconds : nil)
        let ended = shared.withLock { state -> [FailedSample] in
            let finding = state.refusing.finding(failed, isRefusal: failure.isRefusal)
            guard finding == .stops else {
                state.schedule.ended(took, succeeded: false, place: work.place)
                return finding == .ends ? state.refusing.release() : []
            }
            state.schedule.stop(.failed(failure.sentence))
            state.schedule.dropped(place: work.place)
            return []
        }
        shared.wakeAll(Condition.keeper)
        for failed in ended { end(failed) }
    }

    /// Hands an ended sample to the committer; an error has left the schedule before.
    func finish(
        _ row: EvalRow, _ solution: Solution, _ scores: [EvalScore], _ sample: TaskSample, _ work: RunSchedule.Work,
        _ took: EvalSpending, start: Int64, key: [UInt8]?, isCached: Bool
    ) {
        let fields = sample.fields == .null ? nil : sample.fields.json()
        let record = StoredSample(
            solution: solution, scores: scores, input: sample.request.inputText, targets: sample.targets,
            choices: sample.choices, fields: fields, start: start, end: runner.clock.wall())
        let ended = EndedSample(
            key: SampleKey(run: id, index: work.place), row: row, replaces: replaced[work.place],
            record: record.packed, cacheKey: key)
        guard row.outcome != .error else { return committer.add(ended) }
        let released = shared.withLock { state in
            state.judged[work.place] = JudgedSample(scores: scores, answer: solution.answer, isWhole: needsTexts)
            state.wasAnswered = true
            if !isCached { state.meter.request(seconds: solution.requestSeconds) }
            state.schedule.ended(took, succeeded: !isCached, place: work.place)
            if !isCached { state.refusing.answered() }
            return isCached ? [] : state.refusing.release()
        }
        committer.add(ended)
        for failed in released { end(failed) }
    }
}
