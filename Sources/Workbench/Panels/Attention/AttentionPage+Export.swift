internal import Console

extension AttentionPage {
    /// File name of this pane's chart.
    var chartName: String {
        switch screen.focus {
        case .heads: "heads"
        case .head: headName
        case .tokens: "tokens"
        case .reading: request.tab.rawValue
        }
    }

    func export(to path: String) -> Work<Self> {
        guard let chart else { return .notify("nothing to export yet", .warning) }
        return write({ _ in try chart.write(to: path) }, then: { .notify($1, .success) })
    }

    /// Visible part of the focused pane's chart; `nil` if the pane is empty.
    var chart: AttentionChart? {
        guard let run = shownRun, let look else { return nil }
        switch screen.focus {
        case .heads: return headsChart(run, look)
        case .head: return look.head.flatMap { headChart($0, run) }
        case .tokens: return tokensChart(run)
        case .reading:
            switch request.tab {
            case .token: return factsChart(run, look)
            case .lens: return look.lens.flatMap { lensChart($0, run) }
            case .norms: return look.norms.flatMap { rowsChart($0, look, run, row: "layer", value: "norm") }
            case .experts: return look.routing.flatMap { rowsChart($0, look, run, row: "expert", value: "weight") }
            case .sums:
                let lines = sums.map(\.text)
                return lines.isEmpty
                    ? nil
                    : AttentionChart(
                        title: request.tab.title, rows: [["formula or sum"]] + lines.map { [$0] }, tensors: [],
                        surface: picture(of: .reading, columns: 100, rows: lines.count + 4))
            }
        }
    }

    /// Maximum width of an exported picture; larger ones combine cells and say so.
    private static let mostColumns = 240
    private static let mostRows = 120

    private func picture(
        columns: Int, rows: Int, _ draw: (inout Surface, Rect) -> Void
    ) -> Surface {
        var surface = Surface(
            Size(min(Self.mostColumns, max(60, columns)), min(Self.mostRows, max(4, rows))))
        draw(&surface, surface.bounds)
        return surface
    }

    /// Draws a pane with its border, without the focus.
    private func picture(of pane: PaneName, columns: Int, rows: Int) -> Surface {
        var page = self
        page.screen.focus = .tokens
        page.screen.busy = []
        return picture(columns: columns, rows: rows) { surface, area in
            Self.panes.first { $0.name == pane }?.draw(
                page, into: &surface, in: area, theme: .light, isFocused: false, hidden: [])
        }
    }

    // MARK: Heads

    private func headsChart(_ run: AttentionRun, _ look: AttentionLook) -> AttentionChart? {
        guard let tiles else { return nil }
        let measures = HeadMeasure.allCases.filter { scores(of: $0)?.count == run.layers * run.heads }
        var tensors = measures.map {
            AttentionChart.Named(
                name: "scores.\($0.rawValue)", values: scores(of: $0) ?? [], shape: [run.layers, run.heads])
        }
        let rows = (0..<run.layers * run.heads).map { index in
            ["\(index / run.heads)", "\(index % run.heads)"] + tensors.map { "\($0.values[index])" }
        }
        let heatmaps = tiles.heatmaps.compactMap(\.self)
        if let first = heatmaps.first, heatmaps.count == run.layers * run.heads {
            tensors.append(
                .init(
                    name: "patterns", values: heatmaps.flatMap(\.values),
                    shape: [run.layers, run.heads, first.rows, first.columns]))
        }
        return AttentionChart(
            title: "heads, \(shown == .first ? "" : shown.rawValue + ", ")\(measure.title)",
            rows: [["layer", "head"] + measures.map(\.title)] + rows, tensors: tensors,
            metadata: ["cells": look.miniCell?.text ?? "none", "side": shown.rawValue],
            surface: picture(of: .heads, columns: 20 * run.heads + 6, rows: 9 * run.layers + 3))
    }

    private func headChart(_ picture: HeadPicture, _ run: AttentionRun) -> AttentionChart? {
        guard let grid = headGrid(picture), let map = headMap(picture, grid: grid) else { return nil }
        var rows = [["query", "key", "queries", "keys", "query token", "key token", "weight"]]
        for row in 0..<grid.rows {
            for column in 0..<grid.columns where !grid[row, column].isNaN {
                let pair = picture.pair(at: HeatGrid.Position(row: row, column: column))
                rows.append([
                    "\(pair.query)", "\(pair.key)", "\(picture.queriesPerCell)", "\(picture.keysPerCell)",
                    run.text(pair.query), run.text(pair.key), "\(grid[row, column])",
                ])
            }
        }
        let surface = self.picture(columns: grid.columns * 2 + 16, rows: max(12, grid.rows) + 3) { surface, area in
            var rest = area
            let title = rest.takeTop(1)
            let legend = rest.takeBottom(1)
            surface.put(headName, at: title.origin, style: Theme.light[.strong], width: title.columns)
            map.draw(into: &surface, in: rest, theme: .light, isFocused: false)
            HeatLegend(map.scale, note: note(of: picture, grid: grid, in: rest, .light)).draw(
                into: &surface, in: legend, theme: .light)
        }
        return AttentionChart(
            title: headName, rows: rows,
            tensors: [.init(name: "pattern", values: grid.values, shape: [grid.rows, grid.columns])],
            metadata: [
                "cells": picture.note, "queries": Self.text(picture.queries), "keys": Self.text(picture.keys),
                "side": shown.rawValue,
            ], surface: surface)
    }

    // MARK: The text

    private func tokensChart(_ run: AttentionRun) -> AttentionChart {
        func values(_ text: ShadedTokens) -> [Float] {
            let known = text.values.prefix(text.texts.count)
            return known + Array(repeating: .nan, count: text.texts.count - known.count)
        }
        let texts = shadedTexts
        let sides = [("A", texts.first)] + (second == nil ? [] : [("B", texts.second)])
        var rows = [["side", "token", "text", shading.rawValue]]
        var tensors: [AttentionChart.Named] = []
        for (side, text) in sides {
            for (index, value) in values(text).enumerated() {
                rows.append([side, "\(index)", text.texts[index], value.isNaN ? "" : "\(value)"])
            }
            tensors.append(.init(name: "shading.\(side)", values: values(text), shape: [text.texts.count]))
        }
        var drawn = sides.map(\.1)
        for index in drawn.indices {
            drawn[index].setWidth(100)
            drawn[index].height = min(drawn[index].rowCount, Self.mostRows / drawn.count - 2)
        }
        let height = drawn.reduce(2) { $0 + $1.height + 1 }
        return AttentionChart(
            title: "tokens, \(headName), \(shading.rawValue)", rows: rows, tensors: tensors,
            metadata: ["head": headName, "token": "\(token)", "shading": shading.rawValue],
            surface: picture(columns: 104, rows: height) { surface, area in
                var rest = area.inset(columns: 2)
                for text in drawn {
                    text.draw(into: &surface, in: rest.takeTop(text.height), theme: .light, isFocused: false)
                    _ = rest.takeTop(1)
                }
                drawShadingLegend(texts, into: &surface, in: rest.takeTop(1), .light)
            })
    }

    // MARK: Readings

    private func factsChart(_ run: AttentionRun, _ look: AttentionLook) -> AttentionChart? {
        guard look.request.token == token, let weights = look.attended else { return nil }
        let attended = weights.indices.map { ["\(headName) attends to", "\($0)", run.text($0), "\(weights[$0])"] }
        let others = (look.facts?.alternatives ?? []).map { ["alternative", "\(token)", $0.text, "\($0.probability)"] }
        return AttentionChart(
            title: "token \(token)", rows: [["reading", "token", "text", "value"]] + attended + others,
            tensors: [.init(name: "attended", values: weights, shape: [weights.count])],
            metadata: ["head": headName, "token": "\(token)"], surface: picture(of: .reading, columns: 100, rows: 24))
    }

    private func lensChart(_ lens: LensPicture, _ run: AttentionRun) -> AttentionChart? {
        var rows = [["layer", "token", "text", "place", "says", "probability", "rank of \(lens.target)"]]
        let most = lens.cells.reduce(0) { $1.reduce($0) { max($0, $1.top.count) } }
        var (probabilities, ranks): ([Float], [Float]) = ([], [])
        for (layer, cells) in lens.cells.enumerated() {
            for (position, cell) in zip(lens.positions, cells) {
                probabilities += cell.top.map(\.probability)
                probabilities += Array(repeating: .nan, count: most - cell.top.count)
                for (place, said) in cell.top.enumerated() {
                    rows.append([
                        lens.layers[layer], "\(position)", run.text(position), "\(place + 1)", said.text,
                        "\(said.probability)", cell.rank.map { "\($0)" } ?? "",
                    ])
                }
                ranks.append(cell.rank.map { Float($0) } ?? .nan)
            }
        }
        let shape = [lens.layers.count, lens.positions.count]
        return AttentionChart(
            title: request.tab.title, rows: rows,
            tensors: [
                .init(name: "top.probability", values: probabilities, shape: shape + [most]),
                .init(name: "target.rank", values: ranks, shape: shape),
            ],
            metadata: [
                "layers": lens.layers.joined(separator: ","), "tokens": Self.text(lens.positions),
                "target": lens.target,
            ],
            surface: picture(
                of: .reading,
                columns: Self.readingLabels + lens.positions.count * Self.lensColumns + 4,
                rows: lens.layers.count + 6))
    }

    private func rowsChart(
        _ grid: HeatGrid, _ look: AttentionLook, _ run: AttentionRun, row name: String, value: String
    ) -> AttentionChart {
        var rows = [[name, "token", "text", value]]
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let index = look.firstPosition + column
                rows.append(["\(row)", "\(index)", run.text(index), "\(grid[row, column])"])
            }
        }
        return AttentionChart(
            title: request.tab.title, rows: rows,
            tensors: [.init(name: "\(name).\(value)", values: grid.values, shape: [grid.rows, grid.columns])],
            metadata: [
                "first token": "\(look.firstPosition)", "layer": name == "expert" ? "\(look.request.layer)" : "all",
            ], surface: picture(of: .reading, columns: grid.columns + Self.readingLabels + 4, rows: grid.rows * 2 + 6))
    }
}
