/** The file that a piece is written as: one of those that services take. */
export interface PieceForm {
  extension: 'mp3' | 'm4a' | 'flac' | 'wav' | 'ogg' | 'webm';
  /** MIME type for the upload. */
  contentType: string;
  /** Bytes of the file that are no packets, at most. */
  headerBytes: number;
  /** Bytes that go with each packet, at most. */
  packetBytes: number;
  /** The same as it mostly is. */
  usualPacketBytes: number;
  /** Whether the sound is encoded for it, without loss; else packets are copied. */
  isEncoded?: true;
}

export const pieceForms = {
  mp3: { extension: 'mp3', contentType: 'audio/mpeg', headerBytes: 2_000, packetBytes: 0, usualPacketBytes: 0 },
  wav: { extension: 'wav', contentType: 'audio/wav', headerBytes: 200, packetBytes: 0, usualPacketBytes: 0 },
  // The table of samples has the size of each, and its time where that is not regular.
  m4a: { extension: 'm4a', contentType: 'audio/mp4', headerBytes: 8_000, packetBytes: 13, usualPacketBytes: 4 },
  flac: { extension: 'flac', contentType: 'audio/flac', headerBytes: 16_000, packetBytes: 0, usualPacketBytes: 0 },
  /** Of samples, which are encoded. */
  encodedFlac: {
    ...{ extension: 'flac', contentType: 'audio/flac', headerBytes: 16_000, packetBytes: 0, usualPacketBytes: 0 },
    isEncoded: true,
  },
  ogg: { extension: 'ogg', contentType: 'audio/ogg', headerBytes: 24_000, packetBytes: 12, usualPacketBytes: 2 },
  webm: { extension: 'webm', contentType: 'audio/webm', headerBytes: 24_000, packetBytes: 16, usualPacketBytes: 8 },
} as const satisfies Record<string, PieceForm>;
