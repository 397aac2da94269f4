internal import Glibc
internal import System

extension Trainer {
    /// Does what a person asked for.
    ///
    /// - Returns: whether the run is to end.
    func obey(_ orders: [RunOrder], _ sink: some RunSink) throws(Problem) -> Bool {
        var waiting = orders[...]
        var isPaused = false
        while true {
            while let order = waiting.popFirst() {
                switch order {
                case .pause:
                    guard !isPaused else { continue }
                    isPaused = true
                    if savedStep != state.step { try save(into: sink) }
                    try tell("paused after step \(state.step)", .paused, sink)
                    try sink.flush()
                case .resume:
                    guard isPaused else { continue }
                    isPaused = false
                    try tell("resumed after step \(state.step)", .continued, sink)
                    pace.restart()
                case .stop: return true
                case .scaleLearningRate(let factor):
                    guard factor.isFinite, factor >= 0 else { continue }
                    let isOther = factor != state.rateFactor
                    state.rateFactor = factor
                    // Save a checkpoint first, so that a killed run resumes with the new rate.
                    if isOther { try save(into: sink) }
                    try tell(
                        "the rate is \(factor) times the schedule, starting at step "
                            + "\(state.step + 1)", .rateChanged, sink)
                case .checkpoint: try save(into: sink)
                }
            }
            guard isPaused, !isCancelled() else { return false }
            usleep(50_000)
            waiting = sink.orders()[...]
        }
    }
}
