internal import Console
internal import Formatting
internal import KernelLab
internal import Presentation

/// What a profiler saw of a launch, and what holds of the whole profile.
struct LaunchDetail {
    var open: OpenProfile

    var sections: [TextSection] {
        if let comparison = open.comparison { return pair(comparison) }
        guard let launch = open.selected else { return notes(open.profile.summary.notes) }
        var lines: [StyledLine] = []
        if let standing = open.roofline(of: launch).flatMap(launch.standing) {
            lines.append(StyledLine(FigureText.standing(standing), .strong))
        }
        lines.append(line("time", launch.duration.map(Format.time(seconds:)) ?? "not recorded"))
        lines.append(line("rate", FigureText.rate(launch.rate)))
        for operations in launch.operations where operations.count != .exact(0) {
            lines.append(line(operations.kind.title, FigureText.text(operations.count) { Format.operations($0) }))
        }
        if !launch.uncounted.isEmpty {
            lines.append(line("not counted", launch.uncounted.map(\.title).joined(separator: ", ")))
        }
        for level in TrafficLevel.allCases {
            let bytes = launch.bytes(level)
            guard bytes != .missing else { continue }
            var text = FigureText.text(bytes, Format.bytes)
            let bandwidth = launch.bandwidth(level)
            if bandwidth != .missing { text += " at " + FigureText.text(bandwidth) { Format.rate(bytesPerSecond: $0) } }
            let intensity = launch.intensity(level)
            if intensity.value.map({ $0 > 0 }) == true {
                text += ", \(FigureText.text(intensity, Format.compact)) FLOP/byte"
            }
            lines.append(line(level.title, text))
        }
        lines += shape(launch)
        if let source = launch.source {
            lines.append(line("launched by", source.name + (source.dimensions.map { " \($0)" } ?? "")))
        }
        let own = lines.map { TextSection($0) } + notes(launch.notes + open.profile.summary.notes)
        return own + [TextSection(""), TextSection(StyledLine(launch.name, .dim))]
    }

    private func shape(_ launch: Launch) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let grid = launch.grid, let block = launch.block { lines.append(line("grid, block", "\(grid) of \(block)")) }
        if let registers = launch.registers { lines.append(line("registers", "\(registers) per thread")) }
        if let shared = launch.sharedMemory { lines.append(line("shared memory", "\(Format.bytes(shared)) per block")) }
        if let occupancy = launch.occupancy { lines.append(line("occupancy", Format.percent(occupancy, digits: 1))) }
        if let stream = launch.stream { lines.append(line("stream", stream)) }
        return lines
    }

    private func pair(_ comparison: ProfileComparison) -> [TextSection] {
        var lines: [StyledLine] = []
        if let change = open.selectedChange {
            for (word, launch) in [("before", change.before), ("after", change.after)] {
                lines.append(line(word, launch.map(sentence) ?? "no launch with this name and grid"))
            }
            if let speedup = change.speedup {
                let gain = Format.time(seconds: abs(change.difference))
                lines.append(
                    line(
                        "speed-up",
                        "\(Format.fixed(speedup, digits: 2))×, \(gain) \(change.difference < 0 ? "less" : "more")"))
            }
            lines += [StyledLine(""), StyledLine(change.name, .dim), StyledLine("")]
        }
        let (before, after) = (comparison.secondsBefore, comparison.secondsAfter)
        if let speedup = comparison.speedup {
            lines.append(
                line(
                    "all launches",
                    "\(Format.time(seconds: before)) before, \(Format.time(seconds: after)) after: "
                        + "\(Format.fixed(speedup, digits: 2))×"))
        }
        return lines.map { TextSection($0) } + notes(comparison.sentences)
    }

    /// `442 µs, 606 TFLOP/s, 75 % of tensor bf16`.
    private func sentence(_ launch: Launch) -> String {
        let standing = open.roofline(of: launch).flatMap(launch.standing).map(FigureText.standing)
        let rate = launch.rate.value.map { $0 > 0 } == true ? FigureText.rate(launch.rate) : nil
        return [launch.duration.map(Format.time(seconds:)) ?? "time not recorded", rate, standing].compactMap(\.self)
            .joined(
                separator: ", ")
    }

    private func notes(_ notes: [String]) -> [TextSection] {
        notes.isEmpty ? [] : [TextSection("")] + notes.map { TextSection($0, role: .dim) }
    }

    private func line(_ name: String, _ value: String) -> StyledLine {
        StyledLine([.init(name.paddedToColumns(16), .dim), .init(value)])
    }
}
