/// Playback of a run: how long the cursor stays on each step.
struct Playback: Hashable, Sendable {
    /// Speed of the playback.
    enum Pace: Hashable, Sendable, CaseIterable {
        case fixed, real, double, tenfold

        /// Creates the pace with a name from the settings.
        init?(setting: String) {
            switch setting {
            case "real": self = .real
            case "fixed": self = .fixed
            default:
                if let pace = Self.allCases.first(where: { $0.title == setting }) { self = pace } else { return nil }
            }
        }

        var title: String {
            switch self {
            case .fixed: "1 step/s"
            case .real: "1x"
            case .double: "2x"
            case .tenfold: "10x"
            }
        }
    }

    var pace: Pace = .tenfold
    var isPlaying = false

    /// Maximum pause on a step, however long the run took.
    static let longestPause: Duration = .seconds(10)
    /// Minimum pause, so that simultaneous steps appear one by one.
    static let shortestPause: Duration = .milliseconds(80)

    /// Returns the pause on a step, given the nanoseconds from its start to the next step's.
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
        let index = Pace.allCases.firstIndex(of: pace) ?? 0
        pace = Pace.allCases[min(Pace.allCases.count - 1, max(0, index + steps))]
    }
}
