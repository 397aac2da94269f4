extension RunSchedule {
    /// Returns what samples wait for, most common first.
    package func waits(at now: Double) -> [EvalProgress.Wait] {
        var waits: [EvalProgress.Wait] = []
        if isPaused {
            waits.append(.init(cause: .paused, count: waiting, seconds: nil, detail: "paused"))
        } else if restUntil > now {
            waits.append(
                .init(cause: restCause, count: waiting, seconds: restUntil - now, detail: restDetail))
        } else if let hold = outage.hold {
            waits.append(
                .init(
                    cause: .retry, count: waiting, seconds: max(0, hold.until - now),
                    detail: "the server is not responding; one sample is retrying: \(outage.detail)"))
        } else if position < places.count, working >= limit.count {
            let detail =
                limit.count < limit.most
                ? "\(limit.count) of \(limit.most) in flight: the server was too busy for more"
                : "\(limit.count) in flight"
            waits.append(.init(cause: .queued, count: places.count - position, seconds: nil, detail: detail))
        }
        if !isPaused, restUntil <= now, outage.hold == nil {
            for cause in [EvalProgress.Wait.Cause.rateLimit, .retry] {
                let these = retries.all.filter { $0.cause == cause && $0.due > now }
                guard let first = these.min(by: { $0.due < $1.due }) else { continue }
                // The server has answered since, so only the pause remains.
                let isPast = first.isUnreachable && answers > first.answers
                let detail = isPast ? "the server is responding again; samples resume after a pause" : first.detail
                waits.append(.init(cause: cause, count: these.count, seconds: first.due - now, detail: detail))
            }
        }
        return waits.sorted { $0.count > $1.count }
    }
}
