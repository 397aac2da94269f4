internal import Models
internal import System
internal import Tensors

/// The cells of a map of one site: what each row and column stands for.
struct PatchGrid {
    /// One cell: an activation, or a part of it.
    struct Cell {
        var layer: Int
        var head: Int?
        var position: Int?
    }

    let site: PatchSite
    let axes: PatchAxes
    let layerCount: Int
    let headCount: Int
    let length: Int
    /// Layers that have the site's hook.
    let layers: Set<Int>

    /// - Parameter activations: Of a run that kept the site's hooks; heads are counted in them, since keys and values
    ///   may have fewer than queries.
    init<Scalar: FloatingAccumulator>(
        _ site: PatchSite, _ axes: PatchAxes, layerCount: Int, length: Int, activations: [Hook: Tensor<Scalar>]
    ) throws(Problem) {
        guard site.hasHeads || axes == .layerByPosition else {
            throw Problem(
                .missing, site.rawValue, "no heads at this site",
                remedy: "Patch by layer and position, or patch z by head.")
        }
        let held = (0..<layerCount).filter { activations[site.hook(layer: $0)] != nil }
        guard let first = held.first, let tensor = activations[site.hook(layer: first)] else {
            throw Problem(
                .invalid, site.hook(layer: 0).name, "not in any layer of the model",
                remedy: "Patch a different site, such as \(PatchSite.residualPre.rawValue).")
        }
        self.site = site
        self.axes = axes
        self.layerCount = layerCount
        self.length = length
        layers = Set(held)
        headCount = site.headAxis.map { tensor.shape[$0] } ?? 0
    }

    var rows: PatchMap.Axis {
        switch axes {
        case .layerByPosition, .layerByHead: PatchMap.Axis("layer", (0..<layerCount).map(String.init))
        case .headByPosition:
            PatchMap.Axis(
                "head", (0..<layerCount).flatMap { layer in (0..<headCount).map { "\(layer).\($0)" } })
        }
    }

    var columns: PatchMap.Axis {
        switch axes {
        case .layerByHead: PatchMap.Axis("head", (0..<headCount).map(String.init))
        case .layerByPosition, .headByPosition: PatchMap.Axis("position", (0..<length).map(String.init))
        }
    }

    var columnCount: Int { axes == .layerByHead ? headCount : length }

    /// Places of cells that can be run, row by row.
    var cells: [(row: Int, column: Int)] {
        let rowCount = axes == .headByPosition ? layerCount * headCount : layerCount
        return (0..<rowCount).flatMap { row in
            layers.contains(self[row, 0].layer) ? (0..<columnCount).map { (row, $0) } : []
        }
    }

    subscript(row: Int, column: Int) -> Cell {
        switch axes {
        case .layerByPosition: Cell(layer: row, position: column)
        case .layerByHead: Cell(layer: row, head: column)
        case .headByPosition: Cell(layer: row / headCount, head: row % headCount, position: column)
        }
    }

    /// Checks a cell chosen by the user.
    func cell(row: Int, column: Int) throws(Problem) -> Cell {
        guard rows.labels.indices.contains(row), columns.labels.indices.contains(column),
            layers.contains(self[row, column].layer)
        else {
            throw Problem(
                .invalid, "row \(row), column \(column)", "not a cell that can be run",
                remedy: "The map has \(rows.labels.count) rows and \(columns.labels.count) columns.")
        }
        return self[row, column]
    }

    var title: String { "\(site.rawValue) by \(axes.rawValue.replacing("by", with: "and"))" }
}
