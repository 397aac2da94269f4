internal import Console
internal import Formatting
internal import KernelLab

/// The launches of a profile, or the pairs of two, as a table.
struct LaunchTable {
    var profile: OpenProfile
    var isFocused: Bool

    static let launches = Table([
        .init("#", alignment: .right, minimum: 4, priority: 5),
        .init("kernel", minimum: 22, weight: 1),
        .init("time", alignment: .right, minimum: 7),
        .init("share", alignment: .right, minimum: 6, priority: 4),
        .init("rate", alignment: .right, minimum: 12, priority: 3),
        .init("reached", alignment: .right, minimum: 7, priority: 1),
        .init("of", minimum: 11, priority: 2),
    ])

    static let pairs = Table([
        .init("kernel", minimum: 12, weight: 1),
        .init("before", alignment: .right, minimum: 7),
        .init("after", alignment: .right, minimum: 7),
        .init("speed-up", alignment: .right, minimum: 8),
    ])

    var table: Table { profile.comparison == nil ? Self.launches : Self.pairs }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        let nothing = String(Character(theme.glyphs.nothing))
        table.draw(profile.list, into: &surface, in: area, theme: theme, isFocused: isFocused) { row, column in
            profile.comparison == nil
                ? cell(profile.profile.launches[profile.order[row]], column, nothing)
                : cell(profile.changes[profile.order[row]], column, nothing)
        }
    }

    private func cell(_ launch: Launch, _ column: Int, _ nothing: String) -> Table.Cell {
        switch column {
        case 0: return .init(String(launch.ordinal + 1), .dim)
        case 1: return .init(FigureText.shortName(launch.name))
        case 2:
            return .init(launch.duration.map(Format.time(seconds:)) ?? nothing, launch.duration == nil ? .faint : .text)
        case 3:
            let total = profile.profile.summary.seconds
            return .init(total > 0 ? launch.duration.map { Format.percent($0 / total) } ?? "" : "", .dim)
        case 4:
            guard let rate = launch.rate.value, rate > 0 else { return .init(nothing, .faint) }
            return .init(FigureText.rate(launch.rate), .dim)
        default:
            guard let standing = profile.roofline(of: launch).flatMap(launch.standing) else {
                return .init(nothing, .faint)
            }
            return column == 5
                ? .init(standing.sign + Format.percent(standing.share, digits: 0)) : .init(standing.limit.name, .dim)
        }
    }

    private func cell(_ change: OpenProfile.Change, _ column: Int, _ nothing: String) -> Table.Cell {
        switch column {
        case 0: return .init(FigureText.shortName(change.name))
        case 1: return .init(change.before?.duration.map(Format.time(seconds:)) ?? nothing, .dim)
        case 2: return .init(change.after?.duration.map(Format.time(seconds:)) ?? nothing)
        default:
            if change.before == nil { return .init("new", .new) }
            if change.after == nil { return .init("gone", .dim) }
            guard let speedup = change.speedup else { return .init(nothing, .faint) }
            return .init(
                Format.fixed(speedup, digits: 2) + "×", speedup > 1.02 ? .success : speedup < 0.98 ? .failure : .dim)
        }
    }
}
