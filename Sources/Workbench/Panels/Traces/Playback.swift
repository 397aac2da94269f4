/// Replaying at a pace: how long the cursor stays on a step.
struct Playback: Hashable, Sendable {
    /// How fast time goes.
    enum Pace: Hashable, Sendable, CaseIterable {
        case real, double, tenfold, fixed

        /// As the settings name it.
        init?(setting: String) {
            switch setting {
            case "real", "1x": self = .real
            case "2x": self = .double
            case "10x": self = .tenfold
            case "fixed": self = .fixed
            default: return nil
            }
        }

        var title: String {
            switch self {
            case .real: "1x"
            case .double: "2x"
            case .tenfold: "10x"
            case .fixed: "1 step/s"
            }
        }
    }

    var pace: Pace = .tenfold
    var isPlaying = false

    /// A person waits no longer than this for a step, however long the run itself did.
    static let longestPause: Duration = .seconds(10)
    /// Steps that began at the same moment are still seen one by one.
    static let shortestPause: Duration = .milliseconds(80)

    /// How long to stay on a step, by the nanoseconds from its start to the next one's.
    func pause(nanoseconds: Int64) -> Duration {
        let real = Duration.nanoseconds(max(0, nanoseconds))
        let scaled: Duration =
            switch pace {
            case .real: real
            case .double: real / 2
            case .tenfold: real / 10
            case .fixed: .seconds(1)
            }
        return min(Self.longestPause, max(Self.shortestPause, scaled))
    }

    mutating func change(by steps: Int) {
        let order: [Pace] = [.fixed, .real, .double, .tenfold]
        let index = order.firstIndex(of: pace) ?? 0
        pace = order[min(order.count - 1, max(0, index + steps))]
    }
}
