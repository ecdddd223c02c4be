/* SPDX-License-Identifier: MIT */

/* Graphs of audio units: nodes, connections, and one output that drives them. */
#ifndef AU_GRAPH_H
#define AU_GRAPH_H

#include <AudioToolbox/AudioUnitProperties.h>

AUDIO_DECLARATIONS_BEGIN

/* A graph. */
typedef struct OpaqueAUGraph *AUGraph;
/* The number of a node of a graph. */
typedef SInt32 AUNode;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAUGraphErr_NodeNotFound = -10860,             /* the graph has no such node */
    kAUGraphErr_InvalidConnection = -10861,        /* the nodes cannot be connected so */
    kAUGraphErr_OutputNodeErr = -10862,            /* no output node, or more than one */
    kAUGraphErr_CannotDoInCurrentContext = -10863, /* not possible now */
    kAUGraphErr_InvalidAudioUnit = -10864          /* the description matches no unit of a graph */
};

/* Values of AUNodeInteraction.nodeInteractionType. */
AUDIO_CONSTANTS(UInt32) {
    kAUNodeInteraction_Connection = 1,   /* a connection */
    kAUNodeInteraction_InputCallback = 2 /* a callback */
};

/* A connection of two nodes. */
typedef struct AUNodeConnection {
    AUNode sourceNode;         /* the node that provides the audio */
    UInt32 sourceOutputNumber; /* its output bus */
    AUNode destNode;           /* the node that uses the audio */
    UInt32 destInputNumber;    /* its input bus */
} AUNodeConnection;
/* The older name of AUNodeConnection. */
typedef AUNodeConnection AudioUnitNodeConnection;

/* A callback that provides the audio of a node's input. */
typedef struct AUNodeRenderCallback {
    AUNode destNode;                  /* the node that uses the audio */
    AudioUnitElement destInputNumber; /* its input bus */
    AURenderCallbackStruct cback;     /* the callback */
} AUNodeRenderCallback;

/* A connection or a callback of a node. */
typedef struct AUNodeInteraction {
    UInt32 nodeInteractionType; /* the member of nodeInteraction that is used */
    /* The connection or the callback. */
    union {
        AUNodeConnection connection;        /* a connection */
        AUNodeRenderCallback inputCallback; /* a callback */
    } nodeInteraction;
} AUNodeInteraction;

/* Makes a graph without nodes. */
OSStatus NewAUGraph(AUGraph _Nullable *_Nonnull outGraph);

/* Stops, closes and frees a graph. */
OSStatus DisposeAUGraph(AUGraph inGraph);

/* Adds a node; its unit is made when the graph is opened. */
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription, AUNode *outNode);

/* Removes a node, its unit and its connections. */
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);

/* Returns the description and the unit of a node; the unit is NULL before the graph is opened. */
OSStatus AUGraphNodeInfo(
    AUGraph inGraph, AUNode inNode, AudioComponentDescription *_Nullable outDescription,
    AudioUnit _Nullable *_Nullable outAudioUnit);

/* Connects an output of a node to an input of another. */
OSStatus AUGraphConnectNodeInput(
    AUGraph inGraph, AUNode inSourceNode, UInt32 inSourceOutputNumber, AUNode inDestNode,
    UInt32 inDestInputNumber);

/* Removes the connection or callback of an input. */
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);

/* Sets the callback that provides the audio of an input. */
OSStatus AUGraphSetNodeInputCallback(
    AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber, const AURenderCallbackStruct *inInputCallback);

/* Removes all connections and callbacks. */
OSStatus AUGraphClearConnections(AUGraph inGraph);

/* Copies the connections and callbacks of a node: as many as fit in the given number, which is set to theirs. */
OSStatus AUGraphGetNodeInteractions(
    AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions, AUNodeInteraction *outInteractions);

/* Applies changes to a running graph, and returns whether all have been applied. */
OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *_Nullable outIsUpdated) AUDIO_REFINED_FOR_SWIFT;

/* Makes the units of the nodes. */
OSStatus AUGraphOpen(AUGraph inGraph);

/* Frees the units of the nodes. */
OSStatus AUGraphClose(AUGraph inGraph);

/* Sets formats along the connections, and initializes the units. */
OSStatus AUGraphInitialize(AUGraph inGraph);

/* Uninitializes the units. */
OSStatus AUGraphUninitialize(AUGraph inGraph);

/* Starts the output unit. */
OSStatus AUGraphStart(AUGraph inGraph);

/* Stops the output unit. */
OSStatus AUGraphStop(AUGraph inGraph);

/* Returns whether the graph is open. */
OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen) AUDIO_REFINED_FOR_SWIFT;

/* Returns whether the graph is initialized. */
OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized) AUDIO_REFINED_FOR_SWIFT;

/* Returns whether the graph is running. */
OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning) AUDIO_REFINED_FOR_SWIFT;

/* Adds a procedure that is called before and after each render of the output unit. */
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *_Nullable inRefCon);

/* Removes a procedure that was added with the same arguments. */
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *_Nullable inRefCon);

/* Prints an object, such as a graph, on standard output. */
void CAShow(void *inObject);

AUDIO_DECLARATIONS_END

#endif
