package import Console
internal import Formatting
public import KernelLab

/// Shares of a roof as text, for the list, the ladder, the detail, Training, and the commands.
extension FigureText {
    /// Returns a share such as `89.8 %`: `~25 % 18–108` if the samples vary widely, `!104.2 %` if it is above the ceiling,
    /// and `not measured` without a ceiling.
    public static func share(_ share: RoofShare?) -> String {
        guard let share else { return notMeasured }
        let flags = (share.isAboveCeiling ? "!" : "") + (share.isNoisy ? "~" : "")
        guard share.isNoisy else { return flags + Format.percent(share.median, digits: 1) }
        return flags + Format.percent(share.median, from: share.low, to: share.high)
    }

    /// The text for a share whose ceiling was not measured.
    public static let notMeasured = "not measured"

    /// Returns how close a launch is to its limit, such as `62 % of DRAM`, with the sign of the figure: `~` or `≥`.
    public static func standing(_ standing: RooflineStanding) -> String {
        let text = "\(standing.sign)\(Format.percent(standing.share)) of \(standing.limit.name)"
        return standing.lacksPeak ? text + ", peak unknown for this arithmetic" : text
    }

    /// Returns the style of a share, which highlights flagged shares.
    package static func role(_ share: RoofShare?) -> Role {
        guard let share else { return .faint }
        return share.isAboveCeiling || share.isNoisy ? .warning : .text
    }

    /// Returns the ceiling with its threads, such as `FMA f32 AVX-512, 1 thread`.
    public static func ceiling(_ ceiling: RoofShare.Ceiling) -> String {
        "\(ceiling.name), \(Format.count(ceiling.threads, "thread"))"
    }

    /// Returns the share with its ceiling, such as `89.8 % of FMA f32 AVX-512, 1 thread`.
    public static func sentence(_ share: RoofShare) -> String {
        "\(Self.share(share)) of \(ceiling(share.ceiling))"
    }

    /// Returns the flags of a share with their remedies; empty without flags.
    public static func remarks(_ share: RoofShare) -> [String] {
        var remarks: [String] = []
        if share.isNoisy {
            let ends = [share.low, share.high].map { Format.percent($0, digits: 1) }
            remarks.append(
                "~ noisy: 8 of 10 samples are between \(ends[0]) and \(ends[1]). Stop other programs and measure again."
            )
        }
        if share.isAboveCeiling {
            let cause =
                share.ceiling.isMemory
                ? "the data comes from a faster cache, or is prefetched farther ahead than in the ceiling's loop"
                : "the ceiling was measured at a different clock speed or under load"
            remarks.append("! above the ceiling: \(cause). Measure the ceilings again, then this kernel.")
        }
        return remarks
    }
}

extension RoofShare.Ceiling {
    /// Whether the ceiling is a bandwidth rather than an arithmetic peak.
    fileprivate var isMemory: Bool { MemoryLevel.allCases.contains { name.hasPrefix($0.rawValue + " ") } }
}
