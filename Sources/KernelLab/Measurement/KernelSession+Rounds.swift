internal import CKernels
internal import Formatting
internal import Glibc
internal import Kernels
internal import System
internal import Workspace

extension KernelSession {
    /// Times all rungs that agree, in rounds, for about `budget` seconds.
    package func measure(budget: Double) throws -> KernelReport {
        let watch = ConditionsWatch()
        prepareRungs(budget: budget)
        let begin = orrery_wall_seconds()
        var round = 0
        var repeated = 0
        let grounds = [ground, lone].compactMap(\.self)
        for ground in grounds { ground.sampleBound() }
        while hasRungs {
            for ground in grounds { ground.sampleOther() }
            var isAnyTimed = false
            for index in rungs.indices {
                let elapsed = orrery_wall_seconds() - begin
                try tell("timing \(rungs[index].variant.name)", 0.2 + 0.8 * elapsed / max(budget, 1e-9))
                guard isDue(rungs[index], budget: budget), elapsed < budget || round == 0 else { continue }
                isAnyTimed = true
                repeated += try time(index, round: round)
            }
            round += 1
            if !isAnyTimed || orrery_wall_seconds() - begin >= budget { break }
        }
        return report(watch, repeated: repeated)
    }

    private var hasRungs: Bool { !readyRungs.isEmpty }

    private var readyRungs: [Int] {
        rungs.indices.filter { rungs[$0].isReady }
    }

    /// Finds out how many calls make a sample, and which rungs are too slow for more than the call that checked them.
    private func prepareRungs(budget: Double) {
        ground.roofs.forget()
        lone?.roofs.forget()
        let ready = readyRungs
        let counters = HardwareCounters()
        for index in ready {
            guard case .ready(let call, _, _) = rungs[index].outcome else { continue }
            rungs[index].samples = []
            rungs[index].spent = 0
            rungs[index].isTooSlow = rungs[index].callSeconds > max(0.05, budget / Double(ready.count))
            rungs[index].interrupted = []
            guard !rungs[index].isTooSlow else { continue }
            // The first call came with cold caches and pages: more of them say how long calls take.
            rungs[index].callSeconds = Self.leastSeconds(of: call)
            rungs[index].calls = max(1, Int((Self.sampleSeconds / rungs[index].callSeconds).rounded()))
            if counters.areAvailable { rungs[index].counted = counters.count(call) }
            settle()
        }
    }

    /// Seconds of a call: the least of some short series, so that an interruption does not count.
    static func leastSeconds(of call: () -> Void) -> Double {
        var least = Double.infinity
        let all = KernelStopwatch()
        for _ in 0..<5 where all.elapsed.seconds < 10 * sampleSeconds {
            let watch = KernelStopwatch()
            var calls = 0
            repeat {
                call()
                calls += 1
            } while watch.elapsed.seconds < sampleSeconds / 16
            least = min(least, watch.elapsed.seconds / Double(calls))
        }
        return max(least, 1e-9)
    }

    /// Every rung has the same part of the budget; what fast ones need less, all can use.
    private func isDue(_ rung: Entry, budget: Double) -> Bool {
        guard case .ready = rung.outcome, !rung.isTooSlow else { return false }
        let part = budget / Double(max(1, readyRungs.count))
        return rung.samples.isEmpty || rung.spent + rung.callSeconds * Double(rung.calls) <= max(part, 0.02)
            || rung.callSeconds < 5 * Self.sampleSeconds
    }

    /// One sample of a rung between two of the ceiling that bounds it; more attempts if it was interrupted.
    ///
    /// - Returns: how many samples were interrupted.
    private func time(_ index: Int, round: Int) throws -> Int {
        guard case .ready(let call, _, _) = rungs[index].outcome else { return 0 }
        let ground = ground(of: rungs[index].variant)
        let begin = orrery_wall_seconds()
        defer { rungs[index].spent += orrery_wall_seconds() - begin }
        // Earlier samples may have been timed next to the ceilings of another number of threads.
        if lone != nil { ground.sampleBound() }
        for attempt in 0..<3 {
            try cancellation?.check()
            let before = ground.boundRate
            // Ceilings leave their own data in the caches, and threads of pools went to sleep meanwhile.
            if rungs[index].callSeconds <= 5 * Self.sampleSeconds { call() }
            let calls = rungs[index].calls
            let watch = KernelStopwatch()
            for _ in 0..<calls { call() }
            let elapsed = watch.elapsed
            settle()
            ground.sampleBound()
            // The clock may change in between: the ceiling of the moment is the mean of those before and after.
            let ceiling = (before + ground.boundRate) / 2
            let roofs = ground.roofs
            let sample = KernelSample(
                round: round, calls: calls, seconds: elapsed.seconds, processorSeconds: elapsed.processorSeconds,
                peak: roofs.bound == .compute ? ceiling : roofs.lastPeak,
                bandwidth: roofs.bound == .memory ? ceiling : roofs.lastBandwidth)
            if elapsed.wasUndisturbed {
                rungs[index].samples.append(sample)
                return attempt
            }
            rungs[index].interrupted.append(sample)
            // A long call is interrupted every time on a busy machine: once a round is enough.
            if elapsed.seconds > 5 * Self.sampleSeconds { return attempt + 1 }
        }
        return 3
    }

    /// Waits until threads that a kernel left spinning sleep: a library's threads look for work for some ms and would
    /// take the processors from what is measured next.
    private func settle() {
        guard threads > 1 else { return }
        for _ in 0..<40 {
            let before = orrery_process_seconds()
            var nap = timespec(tv_sec: 0, tv_nsec: 200_000)
            nanosleep(&nap, nil)
            if orrery_process_seconds() - before < 60e-6 { return }
        }
    }

    // MARK: Results

    private func report(_ watch: ConditionsWatch, repeated: Int) -> KernelReport {
        var notes: [String] = []
        var samples = 0
        let grounds = [ground, lone].compactMap(\.self)
        var interrupted = grounds.reduce(0) { $0 + $1.roofs.interrupted }
        let results = rungs.map { entry -> KernelReport.Rung in
            let rung = result(entry, notes: &notes, interrupted: &interrupted)
            samples += rung.figures?.samples ?? 0
            return rung
        }
        var conditions = watch.conditions(
            samples: samples, repeated: repeated + grounds.reduce(0) { $0 + $1.roofs.repeated },
            interrupted: interrupted)
        for ground in grounds {
            let beside = zip(rungs, results).filter { self.ground(of: $0.0.variant) === ground }.map(\.1)
            if let impossible = Self.impossibility(beside, bound: ground.roofs.bound) {
                conditions.standing = .void
                notes.append(impossible)
            }
        }
        return KernelReport(
            operation: operation.name, title: operation.title, shape: shape, threads: threads, machine: machine,
            measuredAt: Clock.now(.wall), cost: cost, workingSet: problem.workingSet, level: ground.level,
            peak: ground.roofs.peakRoof, bandwidth: ground.roofs.bandwidthRoof, rungs: results,
            conditions: conditions, counters: HardwareCounters().sentence, notes: notes, oneThread: lone?.report)
    }

    /// Why the figures cannot be true: nothing computes faster than the peak, save by a little while the clock drifts.
    package static func impossibility(_ rungs: [KernelReport.Rung], bound: KernelReport.Bound) -> String? {
        guard bound == .compute else { return nil }
        for rung in rungs {
            guard let share = rung.figures?.shareOfAttainable, share > largestShare else { continue }
            return
                "void: \(rung.name) was \(Format.fixed(share, digits: 1)) times as fast as the peak measured between its samples. "
                + "Other work disturbed the ceiling, or the cost counts operations that the kernel skips. Measure again"
        }
        return nil
    }

    /// The share of the attainable at which a ceiling, not a kernel, is wrong.
    private static let largestShare = 1.5

    private func result(_ entry: Entry, notes: inout [String], interrupted: inout Int) -> KernelReport.Rung {
        let variant = entry.variant
        func rung(_ outcome: KernelReport.Outcome) -> KernelReport.Rung {
            KernelReport.Rung(
                name: variant.name, idea: variant.idea, threads: variant.isParallel ? threads : 1, outcome: outcome)
        }
        switch entry.outcome {
        case .unavailable(let reason): return rung(.unavailable(reason))
        case .disagrees(let difference): return rung(.disagrees(difference))
        case .ready(_, let checkingCall, let agreement):
            var samples = entry.samples
            if entry.isTooSlow {
                samples = [besideRoofs(checkingCall, ground(of: variant).roofs)]
                notes.append(
                    "\(variant.name): one call takes \(Format.fixed(entry.callSeconds, digits: 1)) s, measured once")
            } else if samples.count < 3 {
                let best = entry.interrupted.sorted { $0.seconds < $1.seconds }.prefix(3 - samples.count)
                samples += best
                interrupted += best.count
            }
            guard
                let figures = KernelFigures(
                    samples: samples, cost: cost, traffic: variant.traffic?(shape),
                    interrupted: entry.interrupted.count, agreement: agreement, counted: entry.counted)
            else { return rung(.unavailable("no samples were taken because the time budget was too short")) }
            return rung(.measured(figures))
        }
    }

    /// The call that checked a rung stood next to no ceiling: it is held against the last ones.
    private func besideRoofs(_ call: KernelStopwatch.Elapsed, _ roofs: CeilingPair) -> KernelSample {
        KernelSample(
            round: 0, calls: 1, seconds: call.seconds, processorSeconds: call.processorSeconds, peak: roofs.lastPeak,
            bandwidth: roofs.lastBandwidth)
    }
}
