// SPDX-License-Identifier: MIT

/// A waveform as an image, with the channels one below another, light peaks and dark power.
enum WaveformImage {
    private static let palette: [(UInt8, UInt8, UInt8)] = [
        (0xFF, 0xFF, 0xFF), (0xD0, 0xD4, 0xDA), (0x7F, 0xB0, 0xE6), (0x1F, 0x5F, 0xA8),
    ]
    private enum Colour { static let line = 1, peak = 2, power = 3 }

    /// Returns the default size for a number of channels.
    static func usualSize(channels: Int) -> InfoOptions.ImageSize {
        InfoOptions.ImageSize(width: 1200, height: min(200 * max(channels, 1), 1600))
    }

    static func draw(_ waveform: Waveform, size: InfoOptions.ImageSize) -> PaletteImage {
        var image = PaletteImage(width: size.width, height: size.height, palette: palette)
        // Fewer than eight pixels show nothing, so the last channels are omitted.
        let shown = min(waveform.channels, max(1, size.height / 8))
        for channel in 0..<shown {
            let top = size.height * channel / shown
            let bottom = size.height * (channel + 1) / shown - 1
            draw(waveform.columns(size.width, channel: channel), rows: top...bottom, into: &image)
        }
        return image
    }

    private static func draw(
        _ columns: [Waveform.Column], rows: ClosedRange<Int>, into image: inout PaletteImage
    ) {
        let middle = row(of: 0, in: rows)
        for x in 0..<image.width {
            // A line between channels, and a line at silence.
            image[x, rows.upperBound] = rows.upperBound == image.height - 1 ? 0 : Colour.line
            image[x, middle] = Colour.line
            guard x < columns.count else { continue }
            let column = columns[x]
            for y in row(of: column.high, in: rows)...row(of: min(column.low, column.high), in: rows) {
                image[x, y] = Colour.peak
            }
            let (high, low) = (min(column.high, column.rms), max(column.low, -column.rms))
            guard high > low else { continue }
            for y in row(of: high, in: rows)...row(of: low, in: rows) { image[x, y] = Colour.power }
        }
    }

    /// Returns the row of a sample. Full scale is from the first row to the last but one.
    private static func row(of sample: Float, in rows: ClosedRange<Int>) -> Int {
        let limited = sample.isNaN ? 0 : min(max(sample, -1), 1)
        return rows.lowerBound + Int(((1 - limited) / 2 * Float(max(rows.count - 2, 0))).rounded())
    }
}
